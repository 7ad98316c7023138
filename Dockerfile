# The service in production: the official Node 26, without the sandbox, as an unprivileged user on a read-only file system.
# Not built here: no container engine was at hand. Its file list was run as it is (docs/operate.md); test/scale/containers.test.ts checks the rest.

# 26.12.1 is the first release with the security fixes of October 2026; the Node that npm installs for development is older.
ARG NODE_IMAGE=node:26.13.0-slim

FROM ${NODE_IMAGE} AS page
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY . .
RUN node scripts/build.ts

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional are the sandbox's runtime and the development Node: neither belongs in here.
RUN npm ci --no-audit --no-fund --ignore-scripts --omit=dev --omit=optional

FROM ${NODE_IMAGE}
# Node's own builds need libatomic since 25; slim images may lack it.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 HOLDFAST_DATA_DIR=/var/lib/holdfast
COPY package.json package-lock.json LICENSE CHANGELOG.md ./
COPY --from=packages /app/node_modules ./node_modules
COPY src ./src
COPY docs ./docs
COPY --from=page /app/web/dist ./web/dist
# Named by `--build-arg SOURCE_COMMIT=$(git rev-parse HEAD)`; without it /api/v1/verify/code says that no commit is known.
ARG SOURCE_COMMIT=
RUN printf '%s\n' "$SOURCE_COMMIT" > source-commit.txt \
 && install -d -o node -g node -m 700 /var/lib/holdfast
# The server secret, and the embedded store where no DATABASE_URL is set.
VOLUME /var/lib/holdfast
USER node
EXPOSE 3000
# Answers what was accepted, and waits for submissions under way: up to 75 s. Give it 90 before killing it.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`, { signal: AbortSignal.timeout(2000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]
