// Renders all error codes as sections of a page, with how to handle them and their reasons and params.
import { errorAnchor } from '../../adapter/error-body.ts';
import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { errorReasons } from '../../kernel/error-reasons.ts';
import { type Html, html } from '../pages/escape-html.ts';
import { errorFixes } from './error-fixes.ts';
import { inline, scrolling } from './markdown.ts';

/** Returns the params of each reason of a code. An empty reason means a message without one. */
export const reasonsOf = (
  code: ErrorCode,
): readonly (readonly [reason: string, params: readonly string[]])[] =>
  Object.entries<readonly string[]>(errorReasons[code]);

const reasonTable = (code: ErrorCode): Html => {
  const reasons = reasonsOf(code);
  if (reasons.length === 0) return html``;
  return html`<details><summary>Reasons and params</summary>${scrolling(
    html`<table><thead><tr><th scope="col">reason</th><th scope="col">params</th></tr></thead><tbody>${reasons.map(
      ([reason, params]) =>
        html`<tr><td>${reason === '' ? 'none' : html`<code>${reason}</code>`}</td><td>${params.map((name) => html`<code>${name}</code> `)}</td></tr>`,
    )}</tbody></table>`,
    `Reasons and params of ${code}`,
  )}</details>`;
};

/** Builds one section per code, with the anchor that responses link to. */
export const errorSections = (): Html =>
  html`${Object.entries(errorCodes).map(([code, { status, title, retryable }]) => {
    const anchor = errorAnchor(code as ErrorCode);
    return html`<section class="error" id="${anchor}"><h3><code>${code}</code> <a class="anchor" href="#${anchor}" aria-label="Link to “${code}”">#</a></h3>
<div><p>${inline(errorFixes[code as ErrorCode])}</p><p class="soft">${status} · ${title}${retryable ? ' · the same request may succeed later' : ''}</p>${reasonTable(code as ErrorCode)}</div></section>`;
  })}`;
