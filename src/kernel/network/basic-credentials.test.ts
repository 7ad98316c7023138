// Tests the authorization header that is built from a URL's user info, byte by byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basicCredentials } from './basic-credentials.ts';

const sent = (url: string): string | undefined => {
  const header = basicCredentials(new URL(url));
  return header && Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
};

test('the header contains the decoded bytes of the user info', () => {
  const cases = [
    ['https://user:word@node.example/', 'user:word'],
    ['https://key@node.example/', 'key:'],
    ['https://:word@node.example/', ':word'],
    ['https://us%40er:w%3Ard@node.example/', 'us@er:w:rd'],
    ['https://üser:wörd@node.example/', 'üser:wörd'],
    ['https://a:100%@node.example/', 'a:100%'],
    ['https://a:%zz%2@node.example/', 'a:%zz%2'],
    ['https://a:%25@node.example/', 'a:%'],
  ] as const;
  for (const [url, expected] of cases) assert.equal(sent(url), expected, url);
  assert.deepEqual(
    Buffer.from(basicCredentials(new URL('https://%ff:x@node.example/'))!.slice(6), 'base64'),
    Buffer.from([0xff, 0x3a, 0x78]),
  );
});

test('without user info there is no header', () => {
  for (const url of ['https://node.example/', 'https://@node.example/', 'https://:@node.example/'])
    assert.equal(sent(url), undefined);
});
