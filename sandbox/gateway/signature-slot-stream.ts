// Replaces the slot within the epoch with the absolute slot in signature notifications. Passes everything
// else through unchanged.

import { Transform, type TransformCallback } from 'node:stream';

/**
 * Maximum length of an inspected frame. A signature notification is about 150 bytes. Longer frames pass without
 * inspection.
 */
const MAX_INSPECTED_BYTES = 4_096;
const END_OF_HANDSHAKE = Buffer.from('\r\n\r\n');
const CONTEXT_SLOT = /("context":\{[^}]*"slot":)(\d+)/;

/**
 * Transforms the server-to-client side of a WebSocket, including the handshake response. Frames must be
 * uncompressed.
 */
export class SignatureSlotStream extends Transform {
  readonly #absoluteSlot: (slotInEpoch: number) => number;
  #pending: Buffer = Buffer.alloc(0);
  #passOn = 0;
  #handshakeDone = false;

  /** `absoluteSlot` maps a slot within the epoch to the chain's slot. */
  constructor(absoluteSlot: (slotInEpoch: number) => number) {
    super();
    this.#absoluteSlot = absoluteSlot;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#step());
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#pending);
  }

  /** Forwards complete frames. Returns `false` if more bytes are needed. */
  #step(): boolean {
    if (this.#pending.length === 0) return false;
    if (!this.#handshakeDone) {
      const end = this.#pending.indexOf(END_OF_HANDSHAKE);
      if (end < 0) return false;
      this.#handshakeDone = true;
      this.#passOn = end + END_OF_HANDSHAKE.length;
    }
    if (this.#passOn > 0) {
      const part = this.#take(Math.min(this.#passOn, this.#pending.length));
      this.#passOn -= part.length;
      this.push(part);
      return true;
    }
    const frame = frameAt(this.#pending);
    if (frame === null) return false;
    if (frame.payloadLength > MAX_INSPECTED_BYTES || !frame.wholeText) {
      this.#passOn = frame.headerLength + frame.payloadLength;
      return true;
    }
    if (this.#pending.length < frame.headerLength + frame.payloadLength) return false;
    this.push(this.#corrected(this.#take(frame.headerLength + frame.payloadLength), frame.headerLength));
    return true;
  }

  #take(length: number): Buffer {
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    return taken;
  }

  #corrected(frame: Buffer, headerLength: number): Buffer {
    const text = frame.toString('utf8', headerLength);
    if (!text.includes('"signatureNotification"')) return frame;
    const payload = Buffer.from(
      text.replace(
        CONTEXT_SLOT,
        (_all, before: string, slot: string) => before + this.#absoluteSlot(Number(slot)),
      ),
    );
    const long = payload.length > 125;
    const header = Buffer.alloc(long ? 4 : 2);
    header.writeUInt8(frame.readUInt8(0), 0);
    header.writeUInt8(long ? 126 : payload.length, 1);
    if (long) header.writeUInt16BE(payload.length, 2);
    return Buffer.concat([header, payload]);
  }
}

type Frame = { readonly headerLength: number; readonly payloadLength: number; readonly wholeText: boolean };

// Parses an unmasked frame, as sent by servers (RFC 6455, section 5.2).
function frameAt(bytes: Buffer): Frame | null {
  if (bytes.length < 2) return null;
  const wholeText = bytes.readUInt8(0) === 0x81;
  const shortLength = bytes.readUInt8(1) & 0x7f;
  if (shortLength < 126) return { headerLength: 2, payloadLength: shortLength, wholeText };
  const headerLength = shortLength === 126 ? 4 : 10;
  if (bytes.length < headerLength) return null;
  const payloadLength = shortLength === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { headerLength, payloadLength, wholeText };
}
