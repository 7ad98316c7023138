// Sends HTTP byte by byte over a socket, for requests that no client library would send.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Opens a connection to `port` on this machine. */
export const openSocket = async (port: number): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const parse = (text: string): RawResponse | null => {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = text.slice(0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const body = text.slice(end + 4);
  return body.length < length
    ? null
    : { status: Number(head.slice(9, 12)), head, body: body.slice(0, length) };
};

/** Reads one response. Rejects if the connection ends before it is complete. */
export const readResponse = (socket: Socket): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const response = parse(text);
      if (response === null) return;
      socket.off('data', onData).off('close', onClose);
      resolve(response);
    };
    const onClose = (): void =>
      reject(new Error(`the connection ended after ${JSON.stringify(text.slice(0, 80))}`));
    socket.on('data', onData).on('close', onClose);
  });

/** Sends `text` on a new connection and reads one response. */
export const exchangeRaw = async (port: number, text: string): Promise<RawResponse> => {
  const socket = await openSocket(port);
  const response = readResponse(socket);
  socket.write(text, 'latin1');
  try {
    return await response;
  } finally {
    socket.destroy();
  }
};

/** Returns a complete request without a body. */
export const rawGet = (path: string, headers: readonly string[] = []): string =>
  `GET ${path} HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
