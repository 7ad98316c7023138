// Parses the query string into fields. Refuses broken percent-encoding and repeated names instead of guessing.

import { misplacedKey, namesSecretKey } from '../../adapter/extract-secret-key.ts';
import { isSecretText } from '../../adapter/recognize-secret-value.ts';
import { type ValidationIssue, validationError } from '../../kernel/app-error.ts';

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/**
 * Parses the fields listed in `names` and ignores all others. Throws `AppError('VALIDATION_ERROR')` for
 * broken percent-encoding, for a field with two different values, and for a secret key in the query.
 */
export const parseQuery = (url: string, names: readonly string[]): ReadonlyMap<string, string> => {
  const members = new Map<string, string>();
  const mark = url.indexOf('?');
  if (mark === -1) return members;
  const issues: ValidationIssue[] = [];
  let namesKey = false;
  for (const pair of url.slice(mark + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    try {
      const name = decode(equals === -1 ? pair : pair.slice(0, equals));
      if (namesSecretKey(name)) namesKey = true;
      const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
      if (isSecretText(value) || isSecretText(name)) namesKey = true;
      if (!names.includes(name)) continue;
      if (members.has(name) && members.get(name) !== value)
        issues.push({ path: name, code: 'conflict', message: 'is given twice with different values' });
      members.set(name, value);
    } catch {
      issues.push({ path: 'query', code: 'invalid_encoding', message: 'is not valid percent-encoded UTF-8' });
    }
  }
  // A key in a URL counts as exposed, because proxies and logs store URLs.
  if (namesKey) throw misplacedKey('secretKey');
  if (issues.length > 0) throw validationError(issues);
  return members;
};
