import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpTransport } from './transport.ts'

test('a request without a usable address was certainly not sent', async () => {
  const send = httpTransport({ url: 'http://127.0.0.1:1 ', secret: 'a secret for tests' })
  const reply = await send('authorise', {}, AbortSignal.timeout(5_000))
  assert.deepEqual(reply, { kind: 'unsent', why: 'its address is malformed' })
})
