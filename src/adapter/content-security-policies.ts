// The content security policy of each kind of response.

const LOCKED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Data responses load no resources and cannot be framed. */
export const DATA_CSP = "default-src 'none'; frame-ancestors 'none'";

/**
 * The React page uses no inline scripts or styles and no external resources, cannot be framed, and gets data
 * only from this service.
 */
export const PAGE_CSP = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; ${LOCKED}; manifest-src 'self'`;

/** Assets of the React page load nothing. */
export const ASSET_CSP = "default-src 'none'";

/**
 * A picture that other sites may show. An operator's SVG that is opened directly is sandboxed; its own styles
 * are allowed.
 */
export const PICTURE_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * A server-rendered page: only its own style sheet and script are allowed, by hash, such as `'sha256-…'`. A
 * script may send requests to this service.
 */
export const shellCsp = (styleHash: string, scriptHash: string | null, ownPictures: boolean): string =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...(scriptHash === null ? [] : [`script-src ${scriptHash}`, "connect-src 'self'"]),
    `img-src ${ownPictures ? "'self' " : ''}data:`,
    LOCKED,
  ].join('; ');
