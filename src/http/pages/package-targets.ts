// Serves the typed client and the command line as npm packages, with their hashes.
import { DATA_POLICY, JSON_TYPE, OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ServedPackage } from '../../operations/service-ports.ts';
import { sendFile } from './send-file.ts';

export interface PackageFile extends ServedPackage {
  readonly content: Buffer;
}

export interface PackageSource {
  /** Returns the packages that are already in the folder. */
  readonly present: () => readonly PackageFile[];
  /** Repacks outdated packages if the build tools are installed, and returns all packages. */
  readonly current: () => Promise<readonly PackageFile[]>;
}

const PACKAGES_PATH = '/packages.json';

const HEADERS = [...DATA_POLICY, 'cache-control', 'no-cache'];

/** Creates `/packages.json` and the package files such as `/client-<version>.tgz`. */
export const createPackageTargets = (source: PackageSource): readonly Target[] => {
  const shared = {
    methods: ['GET'],
    limited: true,
    browsers: 'public',
    corsHeaders: [],
    description: OTHER_PROTOCOL,
  } as const;
  const serve = (kind: string): Target => ({
    ...shared,
    path: `/${kind}-{version}`,
    serve: async (exchange) => {
      const file = `${kind}-${exchange.path.version}`;
      const found = (await source.current()).find((one) => one.file === file);
      if (found === undefined)
        throw new AppError('NOT_FOUND', 'This service has no such package.', {
          reason: 'NO_PACKAGE',
          suggestedAction: `See ${PACKAGES_PATH} for the available packages.`,
        });
      sendFile(
        exchange,
        { etag: `"${found.sha256}"`, bytes: found.content, compressed: {} },
        'application/gzip',
        HEADERS,
      );
    },
  });
  return [
    {
      ...shared,
      path: PACKAGES_PATH,
      serve: async (exchange) => {
        const packages = (await source.current()).map(({ content: _, ...facts }) => facts);
        exchange.send(200, JSON_TYPE, JSON.stringify({ packages }), HEADERS);
      },
    },
    serve('client'),
    serve('holdfast'),
  ];
};
