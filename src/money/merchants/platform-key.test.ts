import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openVault } from '../../platform/base/secret.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import { openPlatformKey } from './platform-key.ts'

const database = useDatabase()
const now = new Date('2026-11-15T12:00:00Z')
const [right, wrong] = [openVault(Buffer.alloc(32, 1)), openVault(Buffer.alloc(32, 2))]

test('the platform key is created once; another master key is reported as a wrong setting', async () => {
  const { db } = database
  const made = await openPlatformKey(db, right, now)
  assert.equal((await openPlatformKey(db, right, now)).publicPem, made.publicPem)
  await assert.rejects(openPlatformKey(db, wrong, now), SettingError)
})
