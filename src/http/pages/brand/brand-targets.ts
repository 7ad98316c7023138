// Serves the branded files that a page loads (accent, manifest and preview picture), and the button for other
// sites.
import { DATA_POLICY, type Exchange, OTHER_PROTOCOL, type Target } from '../../../adapter/exchange.ts';
import { AppError } from '../../../kernel/app-error.ts';
import { pngSize } from '../../../upstream/profile/picture.ts';
import { ICON_PATH } from '../../routes/discovery-routes.ts';
import { sendFile, storeText } from '../send-file.ts';
import { PICTURE_HEADERS } from '../validator-icon-target.ts';
import { brandStyle } from './brand-document.ts';
import type { Brand, CurrentBrand } from './current-brand.ts';
import { stakeButton } from './stake-button.ts';

const manifestOf = ({ page, logo }: Brand): object => {
  const size = logo && pngSize(logo);
  return {
    name: page.name,
    short_name: page.name.length > 12 ? page.name.split(' ')[0] : page.name,
    id: '/',
    start_url: '/',
    display: 'standalone',
    background_color: '#f6f8f7',
    theme_color: '#f6f8f7',
    icons: page.hasLogo
      ? [
          {
            src: '/icon',
            sizes: size ? `${size.width}x${size.height}` : 'any',
            ...(logo && { type: logo.contentType }),
          },
        ]
      : [{ src: ICON_PATH, sizes: 'any', type: 'image/svg+xml' }],
  };
};

/** Creates `GET /brand.css`, `/manifest.webmanifest`, `/preview` and `/button.svg`. */
export const createBrandTargets = (current: CurrentBrand): readonly Target[] => {
  const target = (path: string, send: (exchange: Exchange, brand: Brand) => void): Target => ({
    path,
    methods: ['GET'],
    limited: false,
    browsers: 'public',
    description: OTHER_PROTOCOL,
    serve: async (exchange) => send(exchange, await current()),
  });
  const revalidated = [...DATA_POLICY, 'cache-control', 'no-cache'];
  return [
    target('/brand.css', (exchange, brand) =>
      sendFile(exchange, storeText(brandStyle(brand)), 'text/css; charset=utf-8', revalidated),
    ),
    target('/manifest.webmanifest', (exchange, brand) =>
      sendFile(
        exchange,
        storeText(JSON.stringify(manifestOf(brand))),
        'application/manifest+json; charset=utf-8',
        revalidated,
      ),
    ),
    target('/preview', (exchange, { preview }) => {
      if (preview === null)
        throw new AppError('NOT_FOUND', 'The operator has set no preview picture.', {
          reason: 'NO_PREVIEW',
          suggestedAction: 'Set one as `preview` in the profile file.',
        });
      exchange.send(200, preview.contentType, preview.bytes, PICTURE_HEADERS);
    }),
    target('/button.svg', (exchange, brand) =>
      sendFile(exchange, storeText(stakeButton(brand)), 'image/svg+xml', PICTURE_HEADERS),
    ),
  ];
};
