# The service in production: the official Node 26, without the sandbox, as an unprivileged user on a read-only file system.
# This image was never built, because no container engine was available. Its list of files was tested (docs/operate.md), and test/scale/containers.test.ts checks the rest.

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
# The optional packages are the sandbox's runtime and the development Node. The image needs neither.
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
# Set it with `--build-arg SOURCE_COMMIT=$(git rev-parse HEAD)`. Without it, /api/v1/verify/code reports no commit.
ARG SOURCE_COMMIT=
RUN printf '%s\n' "$SOURCE_COMMIT" > source-commit.txt \
 && install -d -o node -g node -m 700 /var/lib/holdfast
# The server secret, and the embedded store if DATABASE_URL is not set.
VOLUME /var/lib/holdfast
USER node
EXPOSE 3000
# On stop, the service answers accepted requests and waits up to 75 s for submissions in flight. Allow 90 s before killing it.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`, { signal: AbortSignal.timeout(2000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]
