// Responds to malformed HTTP requests with the same error shape as all other errors.
import type { Socket } from 'node:net';
import { errorResponse } from '../../adapter/error-body.ts';
import { JSON_TYPE, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import type { MetaSource } from '../../adapter/response-meta.ts';
import { AppError } from '../../kernel/app-error.ts';

/** Maximum size of the request line and headers, in bytes. */
export const MAX_HEADER_BYTES = 16 * 1024;

// Delay, in ms, before the connection is closed. It is long enough for the client to read the error while its
// own last bytes arrive, and too short for attackers to hold many connections open.
const LINGER_MS = 1000;

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

const toError = (code: string | undefined): AppError => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError(
      'HEADERS_TOO_LARGE',
      'The request line and headers are larger than {limitBytes} bytes.',
      { params: { limitBytes: MAX_HEADER_BYTES } },
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('REQUEST_TIMEOUT', 'The request did not arrive completely in time.');
  return new AppError('VALIDATION_ERROR', 'This is not a valid HTTP request.', {
    reason: 'NOT_HTTP',
    details: [],
  });
};

const headerLines = (pairs: readonly string[]): string[] =>
  pairs.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${pairs[index + 1]}`] : []));

/**
 * Creates the handler of the server's `clientError` event. It responds once per connection, unless a response
 * was already sent.
 */
export const createClientErrorHandler = (
  source: MetaSource,
  nowMs: () => number,
  nextRequestId: () => string,
) => {
  const answered = new WeakSet<Socket>();
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (answered.has(socket)) return;
    answered.add(socket);
    const underWay = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
      socket.destroy();
      return;
    }
    const { status, body } = errorResponse(toError(error.code), null, source, nowMs());
    const text = JSON.stringify(body);
    const headers = [
      ...[
        'connection',
        'close',
        'content-type',
        JSON_TYPE,
        'content-length',
        String(Buffer.byteLength(text)),
      ],
      ...['x-request-id', nextRequestId(), 'x-content-type-options', 'nosniff', ...UNCACHED_DATA_POLICY],
    ];
    socket.end(
      `HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${headerLines(headers).join('\r\n')}\r\n\r\n${text}`,
    );
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
};
