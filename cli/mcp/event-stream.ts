// Reads the JSON-RPC messages of an open event stream, one by one.

/** Maximum length of an event. The service's notifications have about 300 bytes. */
const MAX_EVENT_CHARACTERS = 65_536;

/** Yields each message until the stream ends. Throws if the stream does not follow this protocol. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let unread = '';
  for await (const bytes of body) {
    unread += decoder.decode(bytes, { stream: true });
    const events = unread.split(/\r?\n\r?\n/);
    unread = events.pop()!;
    if (unread.length > MAX_EVENT_CHARACTERS) throw new Error('an event is too long');
    for (const event of events) {
      const data = event.split(/\r?\n/).find((line) => line.startsWith('data:'));
      if (data !== undefined) yield JSON.parse(data.slice('data:'.length));
    }
  }
}
