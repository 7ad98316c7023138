// Lists the error codes of each endpoint with status and title. OpenAPI and the docs page use no other source.

import { type ErrorPresentation, errorPresentation } from '../../adapter/error-body.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import type { Route } from '../pipeline/route.ts';

interface DocumentedError extends ErrorPresentation {
  readonly code: ErrorCode;
}

const EVERYWHERE: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'HOST_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'SHUTTING_DOWN',
];

/** Returns every code of `route`, from its operation and its HTTP binding, ordered by status. */
export const documentedErrors = (route: Route): DocumentedError[] => {
  const codes = new Set<ErrorCode>([
    ...route.operation.errors,
    ...EVERYWHERE,
    ...(route.unlimited === true ? [] : (['RATE_LIMITED'] as const)),
    ...(route.browsers === 'own-page' ? (['ORIGIN_NOT_ALLOWED'] as const) : []),
    ...(route.tag === 'Operator' ? (['OPERATOR_TOKEN_REQUIRED'] as const) : []),
    ...(route.carriesSecretKey === true ? (['INSECURE_TRANSPORT'] as const) : []),
    ...(route.method === 'GET' ? [] : (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
  ]);
  return [...codes]
    .map((code) => ({ code, ...errorPresentation(route.operation, code) }))
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
};
