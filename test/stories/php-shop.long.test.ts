// Compares the signatures of the example shop in PHP with docs/vectors.json. Only the shop's own functions run, in
// Debian's php.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { missingTool } from '../harness/debian-packages.ts'
import { readVectors } from '../vectors/vectors-file.ts'

const { keys, md5, notifications, unusableKeys } = readVectors()
const file = fileURLToPath(new URL('../../examples/php-shop/tollgate.php', import.meta.url))
const missing = await missingTool([{ program: 'php', package: 'php-cli' }])

const SIGN = 'echo sign_request($argv[1], json_decode($argv[2], true));'
const VERIFY = "parse_str($argv[1], $fields); echo is_signed('payment', $fields) ? 'signed' : 'forged';"

const run = promisify(execFile)

/** Runs PHP code beside the functions of the shop. Null stands for a key that is not set. */
async function php(key: string | null, code: string, ...args: readonly string[]): Promise<string> {
  const { TOLLGATE_KEY: _, ...others } = process.env
  const env = key === null ? others : { ...others, TOLLGATE_KEY: key }
  const { stdout } = await run('php', ['-r', `require '${file}'; ${code}`, '--', ...args], { env })
  return stdout
}

describe('the example shop in PHP', { skip: missing ?? false }, () => {
  it('signs requests as the vectors do', async () => {
    const ours = md5.filter(({ path }) => ['/order/query', '/cashier/checkStandPay'].includes(path))
    assert.ok(ours.length > 0)
    for (const { name, path, body, sign } of ours)
      assert.equal(await php(keys.merchantKey, SIGN, path, JSON.stringify(body)), sign, name)
  })

  it('recognises what the gateway signed, and what another key signed', async () => {
    const body = notifications.find(({ name }) => name === 'late by four minutes')?.body ?? ''
    const forged =
      notifications.find(({ name }) => name === 'forged: the key of another merchant')?.body ?? ''
    assert.equal(await php(keys.merchantKey, VERIFY, body), 'signed')
    assert.equal(await php(keys.merchantKey, VERIFY, forged), 'forged')
  })

  for (const { name, value, body } of unusableKeys.filter(({ key }) => key === 'merchantKey'))
    it(`refuses to sign and to verify with a key that is ${name}`, async () => {
      await assert.rejects(php(value, SIGN, '/order/query', '{}'), /TOLLGATE_KEY is (not set|too short)/)
      await assert.rejects(php(value, VERIFY, body), /TOLLGATE_KEY is (not set|too short)/)
    })
})
