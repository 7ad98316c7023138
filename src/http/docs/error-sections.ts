// All error codes and how to handle them, as sections of a page.
import { errorAnchor } from '../../adapter/error-body.ts';
import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { type Html, html } from '../pages/escape-html.ts';
import { errorFixes } from './error-fixes.ts';
import { inline } from './markdown.ts';

/** Builds one section per code, with the anchor that responses link to. */
export const errorSections = (): Html =>
  html`${Object.entries(errorCodes).map(([code, { status, title, retryable }]) => {
    const anchor = errorAnchor(code as ErrorCode);
    return html`<section class="error" id="${anchor}"><h3><code>${code}</code> <a class="anchor" href="#${anchor}" aria-label="Link to “${code}”">#</a></h3>
<div><p>${inline(errorFixes[code as ErrorCode])}</p><p class="soft">${status} · ${title}${retryable ? ' · the same request may succeed later' : ''}</p></div></section>`;
  })}`;
