import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingNames } from '../config/config.ts'
import { misspeltSettings } from './misspelt-settings.ts'

const meantBy = (name: string) => misspeltSettings({ [name]: 'x' })[0]?.meant

test('a name that is nearly that of a setting is found', () => {
  for (const [name, meant] of [
    ['TOLLGATE_TRUSTED_PROXY', 'TOLLGATE_TRUSTED_PROXIES'],
    ['TOLLGATE_CHANNEL', 'TOLLGATE_CHANNELS'],
    ['TOLLGATE_MASTERKEY', 'TOLLGATE_MASTER_KEY'],
    ['TOLLGATE_MOD', undefined],
    ['TOLLGATE_MODEL', 'TOLLGATE_MODE'],
    ['TOLLGATE_SANDBOX_URLS', 'TOLLGATE_SANDBOX_URL'],
  ] as const)
    assert.equal(meantBy(name), meant, name)
})

test('names of others are left alone, such as those that a channels file takes secrets from', () => {
  for (const name of ['TOLLGATE_STRIPE_KEY', 'TOLLGATE_CARD_SECRET', 'TRUSTED_PROXY', 'PORTS', 'HOME'])
    assert.equal(meantBy(name), undefined, name)
})

test('every setting is known', () => {
  for (const name of settingNames) assert.equal(meantBy(name), undefined, name)
  const spaced = settingNames.filter((name) => name.length > 'TOLLGATE_'.length + 6)
  for (const name of spaced) assert.equal(meantBy(`${name}X`), name)
})
