import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startSandbox } from '../../../sandbox/server.ts'
import { toolsWith } from '../../../test/counterparties/connect-entry.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { Channel } from '../contract/channel.ts'
import { parseChannels, readChannelsFile, readEntries } from './channel-settings.ts'
import { connectionOf } from './connections.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-channels-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'channels.json')
const entry = { name: 'acquirer-2', method: 'card', url: 'https://acquirer.example', secret: 'hidden' }
const tools = toolsWith()
const notRoot = process.getuid?.() !== 0 && 'only root can give a file away'

async function openChannels(config: Config): Promise<Channel[]> {
  return (await readEntries(config)).flatMap((entry) => connectionOf(entry, tools).channels)
}
const masterKey = '0'.repeat(64)
const live = {
  TOLLGATE_MODE: 'live',
  TOLLGATE_MASTER_KEY: masterKey,
  TOLLGATE_BASE_URL: 'https://pay.example',
  TOLLGATE_TRUSTED_PROXIES: '10.0.0.0/8',
}

function write(content: unknown, mode = 0o600): string {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(file, mode)
  return file
}

function complaint(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof SettingError)
    assert.ok(!error.message.includes('hidden'), 'no credential is shown')
    return error.message
  }
  return ''
}

/** The id of a user other than the one who runs the tests. */
const ANOTHER = 64_999

describe('the channels file', () => {
  it('is read as a list of settings', () => {
    const read = { ...entry, methods: ['card'], payoutKinds: [], protocol: 'bridge' }
    assert.deepEqual(readChannelsFile(write([entry])), [read])
  })

  it('is refused if other users may read it', () => {
    for (const mode of [0o644, 0o640, 0o604, 0o660])
      assert.match(
        complaint(() => readChannelsFile(write([entry], mode))),
        /^TOLLGATE_CHANNELS.*chmod 600/,
      )
  })

  it('of another user may be given to us by a group, as Kubernetes mounts it', { skip: notRoot }, () => {
    for (const mode of [0o440, 0o640]) {
      chownSync(write([entry], mode), ANOTHER, 0)
      assert.equal(readChannelsFile(file).length, 1)
    }
    for (const mode of [0o444, 0o460, 0o644])
      assert.match(
        complaint(() => readChannelsFile(write([entry], mode))),
        /^TOLLGATE_CHANNELS.*chmod 600/,
      )
    chownSync(file, 0, 0)
  })

  it('is refused when it is missing, not JSON or not a list', () => {
    assert.match(
      complaint(() => readChannelsFile(join(folder, 'none'))),
      /does not exist$/,
    )
    assert.match(
      complaint(() => readChannelsFile(write('{"secret": "hidden"'))),
      /is not JSON: look at line 1, column 20$/,
    )
    assert.match(
      complaint(() => readChannelsFile(write('['))),
      /is not JSON: it is empty, or ends too early$/,
    )
    assert.match(
      complaint(() => readChannelsFile(write('hidden'))),
      /is not JSON$/,
    )
    assert.match(
      complaint(() => readChannelsFile(write(entry))),
      /must be a list/,
    )
  })

  it('is refused with the name of the entry and setting whose secret cannot be read', () => {
    writeFileSync(join(folder, 'empty'), '\n')
    const wrong: readonly (readonly [object, string])[] = [
      [{ file: 'empty' }, 'channel acquirer-2: "secret": the file empty is empty'],
      [{ file: 'absent' }, 'channel acquirer-2: "secret": the file absent does not exist'],
      [
        { file: '.' },
        'channel acquirer-2: "secret": the file . cannot be read: it must be a file that this user may read',
      ],
      [
        { env: 'TOLLGATE_ABSENT' },
        'channel acquirer-2: "secret": the environment variable TOLLGATE_ABSENT is not set',
      ],
    ]
    for (const [secret, message] of wrong)
      assert.equal(
        complaint(() =>
          readChannelsFile(
            write([
              { ...entry, name: 'one' },
              { ...entry, secret },
            ]),
          ),
        ),
        message,
      )
    assert.match(
      complaint(() => readChannelsFile(write([{ ...entry, name: 'A b', secret: { file: 'absent' } }]))),
      /^TOLLGATE_CHANNELS, entry 1: "secret": the file absent/,
    )
  })

  it('is refused with the name of the wrong entry and setting', () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [[1], /entry 1 must be an object/],
      [[entry, { ...entry, name: 'A b' }], /entry 2 needs a "name"/],
      [[{ ...entry, name: '' }], /"name"/],
      [[{ ...entry, method: 'cheque' }], /channel acquirer-2: there is no method "cheque"/],
      [[{ ...entry, methods: [] }], /channel acquirer-2 needs "methods"/],
      [[{ ...entry, protocol: 'fax' }], /channel acquirer-2: "protocol" must be one of/],
      [[{ ...entry, method: undefined, methods: ['card', 'pix'] }], /channel acquirer-2 needs a "protocol"/],
      [[entry, entry], /two channels with the "name" acquirer-2/],
      [
        [
          { ...entry, xpub: 'x' },
          { ...entry, name: 'other', xpub: 'x' },
        ],
        /two channels with the same "xpub"/,
      ],
      [
        [
          { name: 'one', protocol: 'stp', method: 'spei', clabePrefix: '6461801234' },
          { name: 'other', protocol: 'stp', method: 'spei', clabePrefix: '6461801234' },
        ],
        /two channels with the same "clabePrefix"/,
      ],
    ]
    for (const [list, message] of wrong)
      assert.match(
        complaint(() => parseChannels(list, 'x')),
        message,
      )
  })
})

describe('the channels of a gateway', () => {
  it('are only those of the file in live, and a missing setting is named', async () => {
    assert.deepEqual(await openChannels(readConfig(live)), [])
    const config = readConfig({ ...live, TOLLGATE_CHANNELS: write([entry]) })
    assert.deepEqual(
      (await openChannels(config)).map(({ name, method }) => [name, method]),
      [['acquirer-2', 'card']],
    )
    write([{ ...entry, secret: '' }])
    await assert.rejects(openChannels(config), /^SettingError|channel acquirer-2: "secret" is missing/)
    write([{ ...entry, url: 'ftp://x' }])
    await assert.rejects(openChannels(config), /channel acquirer-2: "url"/)
  })

  it('are reached over https in live, except on loopback and allowed hosts', async () => {
    const open = (settings: object, env: Record<string, string> = {}) => {
      const config = readConfig({ ...live, ...env, TOLLGATE_CHANNELS: write([{ ...entry, ...settings }]) })
      return openChannels(config)
    }
    for (const url of ['http://acquirer.example', 'HTTP://acquirer.example', 'http://10.0.0.7:8080/api'])
      await assert.rejects(open({ url }), /channel acquirer-2: "url" must be an https/)
    await assert.rejects(
      open({ payerFields: ['https://a.example', 'http://b.example'] }),
      /"payerFields" must be an https/,
    )
    await assert.rejects(
      open({ confirmations: { url: 'http://b.example' } }),
      /"confirmations" must be an https/,
    )
    for (const url of [
      'https://acquirer.example',
      'http://127.0.0.1:9',
      'http://localhost:9',
      'http://[::1]:9',
    ])
      assert.equal((await open({ url })).length, 1)
    const named = { TOLLGATE_PLAIN_HTTP_HOSTS: '10.0.0.7,acquirer.internal' }
    for (const url of ['http://10.0.0.7:8080', 'http://acquirer.internal'])
      assert.equal((await open({ url }, named)).length, 1)
    await assert.rejects(open({ url: 'http://acquirer.example' }, named), /"url" must be an https/)
  })

  it("are the sandbox's in sandbox; those of the file are added or replace them", async () => {
    const dataDir = join(folder, 'data')
    const secret = 'hidden'
    const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, secret })
    const replaced = { ...entry, name: 'unionpay', method: 'unionpay' }
    const open = async (env: Record<string, string> = {}) => {
      const at = { TOLLGATE_SANDBOX_URL: sandbox.url, TOLLGATE_SANDBOX_SECRET: secret }
      const config = readConfig({ TOLLGATE_MASTER_KEY: masterKey, ...at, ...env })
      return (await openChannels(config)).map(({ name }) => name)
    }
    const simulated = sandbox.settings().flatMap(({ name, method }) => (method ? [name] : []))
    assert.deepEqual(await open(), simulated)
    const withFile = await open({ TOLLGATE_CHANNELS: write([entry, replaced]) })
    assert.deepEqual(withFile.sort(), [...simulated, 'acquirer-2'].sort())
    await assert.rejects(open({ TOLLGATE_SANDBOX_SECRET: 'x' }), /TOLLGATE_SANDBOX_SECRET/)
    await sandbox.close()
  })

  it('are never simulated in live', () => {
    assert.match(
      complaint(() => readConfig({ ...live, TOLLGATE_SANDBOX_URL: 'http://x' })),
      /^TOLLGATE_SANDBOX_URL/,
    )
  })
})
