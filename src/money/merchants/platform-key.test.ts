import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/harness.ts'
import { openVault } from '../base/secret.ts'
import { SettingError } from '../errors/catalogue.ts'
import { openPlatformKey } from './platform-key.ts'

const now = new Date('2026-11-15T12:00:00Z')
const [right, wrong] = [openVault(Buffer.alloc(32, 1)), openVault(Buffer.alloc(32, 2))]

test('the platform key is created once; another master key is reported as a wrong setting', async () => {
  const { db, drop } = await cloneDatabase()
  const made = await openPlatformKey(db, right, now)
  assert.equal((await openPlatformKey(db, right, now)).publicPem, made.publicPem)
  await assert.rejects(openPlatformKey(db, wrong, now), SettingError)
  await drop()
})
