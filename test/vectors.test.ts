// docs/vectors.json has the values that the gateway computes, and the SDK agrees with them.
// test/stories/languages.long.test.ts compares the samples in other languages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { escapedString } from '../sdk/src/canonical.ts'
import { verifyNotification } from '../sdk/src/notification.ts'
import { notificationHandlers } from '../sdk/src/notification-handlers.ts'
import { verifyReturn } from '../sdk/src/returned.ts'
import { signRequest } from '../sdk/src/sign.ts'
import { Tollgate } from '../sdk/src/tollgate.ts'
import { endpoints } from '../src/interfaces/merchant-api/endpoints.ts'
import type { NotificationVector } from './vectors/forgeries.ts'
import { makeVectors } from './vectors/make-vectors.ts'
import { readVectors, vectorsPath, written } from './vectors/vectors-file.ts'

const vectors = readVectors()
const { keys } = vectors

test('docs/vectors.json is what the gateway computes: npm run vectors writes it', async () => {
  assert.equal(readFileSync(vectorsPath, 'utf8'), written(await makeVectors(keys)))
})

test('no two vectors have the same name', () => {
  const { md5, rsa, notifications, unusableKeys } = vectors
  const names = [...md5, ...rsa, ...notifications, ...unusableKeys].map(({ name }) => name)
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

test('the SDK refuses keys that are missing, empty or short, when a program starts', async () => {
  for (const vector of vectors.unusableKeys) {
    const { name, key, body, headers, at } = vector
    // Callers in JavaScript have no types to stop them: a variable that is not set is undefined.
    const value = vector.value ?? undefined
    const unusable = { name: 'TollgateError', next: 'check-keys', message: /^the settings cannot be used: / }
    const settings = { baseUrl: 'https://pay.example', merNo: 1, site: 'shop.example' }
    const signing = { merchantKey: { key: value }, merchantPrivateKey: { privateKey: value } }
    if (key === 'merchantKey' || key === 'merchantPrivateKey')
      assert.throws(() => Reflect.construct(Tollgate, [{ ...settings, ...signing[key] }]), unusable, name)
    if (key === 'merchantPrivateKey') continue
    const given: Readonly<Record<string, unknown>> = { ...keys, [key]: value }
    const own = key === 'platformPublicKey' ? { platformKey: value } : { key: given.merchantKey }
    const secrets = { ...own, webhookSecret: given.webhookSecret }
    assert.throws(() => Reflect.apply(notificationHandlers, undefined, [secrets, () => {}]), unusable, name)
    const clock = mock.method(Date, 'now', () => at * 1000)
    await assert.rejects(
      Reflect.apply(verifyNotification, undefined, [body, secrets, headers]),
      unusable,
      name,
    )
    clock.mock.restore()
  }
})

test('the SDK says which key of a list is not set, and takes a list without those', async () => {
  const { body, headers, at } =
    vectors.notifications.find(({ signedBy, event }) => signedBy === 'md5' && event) ?? assert.fail()
  const stranger = vectors.unusableKeys[0]?.body ?? ''
  const verify = (text: string, key: unknown) =>
    Reflect.apply(verifyNotification, undefined, [text, { key }, headers])
  for (const missing of [undefined, null, ''])
    await assert.rejects(verify(stranger, [keys.merchantKey, missing]), /: key\[1\] is missing$/)
  await assert.rejects(
    verify(stranger, ['short', keys.merchantKey]),
    /: key\[0\] has fewer than 16 characters$/,
  )
  await assert.rejects(verify(stranger, []), /: key is a list without a key$/)
  const [OLD_KEY] = [process.env.TOLLGATE_KEY_THAT_NOBODY_SET]
  await assert.rejects(verify(stranger, [keys.merchantKey, OLD_KEY].filter(Boolean)), /sign does not match/)
  const clock = mock.method(Date, 'now', () => at * 1000)
  assert.equal((await verify(body, [keys.merchantKey, OLD_KEY].filter(Boolean))).event, 'payment')
  clock.mock.restore()
  const address = '/thanks?tradeNo=T1&merOrderNo=A-1&payCode=0&sign=0'
  await assert.rejects(verifyReturn(address, { key: '' }), /: key is missing$/)
})

/** Returns the event that the SDK reads at the vector's time. Null if the SDK refuses the notification. */
async function eventOf({ body, headers, signedBy, at }: NotificationVector): Promise<string | null> {
  const by = signedBy === 'rsa' ? { platformKey: keys.platformPublicKey } : { key: keys.merchantKey }
  const clock = mock.method(Date, 'now', () => at * 1000)
  const verified = verifyNotification(body, { ...by, webhookSecret: keys.webhookSecret }, headers)
  const event = await verified.then((one) => one.event).catch(() => null)
  clock.mock.restore()
  return event
}
