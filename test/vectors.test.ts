// docs/vectors.json is what the gateway computes, and the SDK agrees with it. test/stories/languages.test.ts compares the
// samples in other languages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { escapedString } from '../sdk/src/canonical.ts'
import { verifyNotification } from '../sdk/src/notification.ts'
import { signRequest } from '../sdk/src/sign.ts'
import { endpoints } from '../src/merchant-api/endpoints.ts'
import { makeVectors, type NotificationVector } from './vectors/make-vectors.ts'
import { readVectors, vectorsPath, written } from './vectors/vectors-file.ts'

const vectors = readVectors()
const { keys } = vectors

test('docs/vectors.json is what the gateway computes: npm run vectors writes it', async () => {
  assert.equal(readFileSync(vectorsPath, 'utf8'), written(await makeVectors(keys)))
})

test('no two vectors have the same name', () => {
  const names = [...vectors.md5, ...vectors.rsa, ...vectors.notifications].map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

test('every endpoint has a vector, so that every sample knows its signed fields', () => {
  const paths = new Set<string>(vectors.md5.map(({ path }) => path))
  assert.deepEqual([...paths].sort(), Object.keys(endpoints).sort())
})

test('the SDK signs requests in the same way', async () => {
  for (const { name, path, body, sign } of vectors.md5)
    assert.equal(signRequest(path, body, { key: keys.merchantKey }), sign, name)
  for (const { name, path, body, string, sign } of vectors.rsa) {
    assert.equal(escapedString(body), string, name)
    assert.equal(await signRequest(path, body, { privateKey: keys.merchantPrivateKey }), sign, name)
  }
})

test('the SDK accepts and refuses the same notifications', async () => {
  for (const vector of vectors.notifications) assert.equal(await eventOf(vector), vector.event, vector.name)
})

/** By the receiver's clock of the vector. */
async function eventOf({ body, headers, signedBy, at }: NotificationVector): Promise<string | null> {
  const by = signedBy === 'rsa' ? { platformKey: keys.platformPublicKey } : { key: keys.merchantKey }
  const clock = mock.method(Date, 'now', () => at * 1000)
  const verified = verifyNotification(body, { ...by, webhookSecret: keys.webhookSecret }, headers)
  const event = await verified.then((one) => one.event).catch(() => null)
  clock.mock.restore()
  return event
}
