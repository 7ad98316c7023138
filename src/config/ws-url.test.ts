// Shows where the WebSocket of an RPC node is looked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveWsUrl } from './config.ts';

test('the WebSocket is on the same host, one port up where a port is written out', () => {
  const cases = {
    'http://127.0.0.1:8899': 'ws://127.0.0.1:8900/',
    'https://api.devnet.solana.com': 'wss://api.devnet.solana.com/',
    'https://rpc.example.org/v1/key?x=1': 'wss://rpc.example.org/v1/key?x=1',
    'https://user:pass@rpc.example.org:8443/': 'wss://user:pass@rpc.example.org:8444/',
    'http://[::1]:8899/': 'ws://[::1]:8900/',
    'HTTPS://rpc.example.org/http://x': 'wss://rpc.example.org/http://x',
  };
  for (const [rpcUrl, wsUrl] of Object.entries(cases)) assert.equal(deriveWsUrl(rpcUrl), wsUrl);
});

test("the scheme's own port stays unwritten", () => {
  assert.equal(deriveWsUrl('https://rpc.example.org:443/'), 'wss://rpc.example.org/');
  assert.equal(deriveWsUrl('http://rpc.example.org:80/'), 'ws://rpc.example.org/');
});
