import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import {
  aCardPayment,
  aMerchant,
  buildFrame,
  type JsonBody,
} from '../../../../test/harness/merchant-frame.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Command, Result, Tools } from '../command.ts'
import { parseCall } from '../parse.ts'
import { signCommands } from './sign.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sign-'))
after(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const unused = (): never => assert.fail('with its own key it needs neither settings nor database')
const tools: Tools = {
  clock: { now: () => new Date() },
  config: unused,
  vault: unused,
  database: unused,
  at: unused,
  asJson: true,
  print: async () => {},
  say: () => {},
}

function run(endpoint: string, body: JsonBody, ...args: readonly string[]): Promise<Result> {
  const [sign] = signCommands
  assert.ok(sign)
  const command: Command = sign
  const file = write('body.json', JSON.stringify(body))
  return command.run({ ...parseCall(command, [endpoint, '--body', file, ...args]), tools })
}

it("includes a refund's merRefundNo if there is one", async () => {
  const body = { merNo: 1, merOrderNo: 'A', amount: '5.00', tradeNo: 'T' }
  const strings = []
  for (const more of [{}, { merRefundNo: 'R' }])
    strings.push(Object((await run('/refund/apply', { ...body, ...more }, '--key', 'k')).json).stringToSign)
  assert.deepEqual(strings, ['1A5.00T<KEY>', '1A5.00TR<KEY>'])
})

const pem = (key: KeyObject) => String(key.export({ type: 'pkcs8', format: 'pem' }))

describe('sign --rsa', () => {
  const { publicKey, privateKey } = rsaPair('merchant')

  it('makes a signature that the gateway accepts, in the escaped form where that is required', async () => {
    const frame = await buildFrame({ mode: 'live', merchants: [aMerchant({ rsaKey: publicKey })] })
    const key = write('key.pem', pem(privateKey))
    for (const [returnUrl, isEscaped] of [
      ['https://shop.example/back?a=1&b=2', false],
      ['https://shop.example/back?a=1&currencyCode=USD', true],
    ] as const) {
      const body = aCardPayment({ returnUrl })
      const { sign, stringToSign } = Object((await run('/payment', body, '--rsa', key)).json)
      assert.equal(String(stringToSign).startsWith('escaped&'), isEscaped)
      assert.equal((await frame.post('/payment', { ...body, sign })).body.code, '00000')
    }
  })

  it('refuses a body that cannot be signed, and a file that is not a private RSA key', async () => {
    const key = write('key.pem', pem(privateKey))
    const other = write('other.pem', pem(generateKeyPairSync('ed25519').privateKey))
    const refused = (body: JsonBody, file: string) =>
      assert.rejects(run('/payment', body, '--rsa', file), OperatorRefusal)
    await refused({ 'a-b': 1 }, key)
    await refused({ merNo: 1 }, other)
    await refused({ merNo: 1 }, write('none.pem', 'no key'))
  })
})
