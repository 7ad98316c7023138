// The table of all error codes with what to do about each.
import { errorAnchor } from '../../adapter/error-body.ts';
import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { type Html, html } from '../pages/html.ts';
import { errorRemedies } from './error-remedies.ts';
import { inline, scrolling } from './markdown.ts';

/** Each row has the anchor that answers name. */
export const errorTable = (): Html =>
  scrolling(
    html`<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Title</th><th scope="col">Retry helps</th><th scope="col">What to do</th></tr></thead><tbody>${Object.entries(
      errorCodes,
    ).map(
      ([code, { status, title, retryable }]) =>
        html`<tr id="${errorAnchor(code as ErrorCode)}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${retryable ? 'yes' : 'no'}</td><td>${inline(errorRemedies[code as ErrorCode])}</td></tr>`,
    )}</tbody></table>`,
    'Error codes',
  );
