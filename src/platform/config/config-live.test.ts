import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SettingError } from '../errors/catalogue.ts'
import { type Config, readConfig } from './config.ts'

function read(env: Record<string, string>): Config {
  const live = {
    TOLLGATE_MODE: 'live',
    TOLLGATE_MASTER_KEY: '0'.repeat(64),
    TOLLGATE_TRUSTED_PROXIES: '10.0.0.0/8',
  }
  return readConfig({ ...live, TOLLGATE_BASE_URL: 'https://pay.example', ...env })
}

function complaint(env: Record<string, string>): string {
  try {
    read(env)
  } catch (error) {
    assert.ok(error instanceof SettingError)
    return error.message
  }
  return ''
}

test('live requires a base URL, and it must be https', () => {
  assert.match(complaint({ TOLLGATE_BASE_URL: '' }), /^TOLLGATE_BASE_URL is required in live/)
  for (const address of ['http://pay.example', 'http://10.0.0.7:8080', 'http://127.0.0.1.example'])
    assert.match(complaint({ TOLLGATE_BASE_URL: address }), /^TOLLGATE_BASE_URL must be an https address/)
  for (const address of ['https://pay.example ', ' https://pay.example', 'https://pay.example/a b'])
    assert.match(complaint({ TOLLGATE_BASE_URL: address }), /^TOLLGATE_BASE_URL must be .* without spaces$/)
  assert.equal(read({ TOLLGATE_BASE_URL: 'https://pay.example/gate/' }).baseUrl, 'https://pay.example/gate')
})

test('plain http is allowed for loopback and for listed hosts', () => {
  for (const address of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080'])
    assert.equal(read({ TOLLGATE_BASE_URL: address }).baseUrl, address)
  const named = { TOLLGATE_PLAIN_HTTP_HOSTS: 'Gate.internal, 10.0.0.7' }
  for (const address of ['http://gate.internal:8080', 'http://10.0.0.7'])
    assert.equal(read({ ...named, TOLLGATE_BASE_URL: address }).baseUrl, address)
  assert.notEqual(complaint({ ...named, TOLLGATE_BASE_URL: 'http://other.gate.internal' }), '')
  for (const hosts of ['http://gate.internal', 'gate.internal:80', 'gate/x', 'a b', '*'])
    assert.match(complaint({ TOLLGATE_PLAIN_HTTP_HOSTS: hosts }), /^TOLLGATE_PLAIN_HTTP_HOSTS must be/, hosts)
})

test('the sandbox defaults to plain http', () => {
  const config = readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), HOST: '::1', PORT: '8081' })
  assert.equal(config.baseUrl, 'http://[::1]:8081')
})

test('a sandbox is local only if its listener and its public address are loopback', () => {
  const isLocal = (env: Record<string, string>) =>
    readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), ...env }).isLocal
  for (const HOST of ['127.0.0.1', '::1', 'localhost', '127.0.0.2'])
    assert.equal(isLocal({ HOST }), true, HOST)
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7']) {
    assert.equal(isLocal({ HOST }), false, HOST)
    assert.equal(isLocal({ HOST, TOLLGATE_BASE_URL: 'http://localhost:8080' }), false, HOST)
  }
  assert.equal(isLocal({ TOLLGATE_BASE_URL: 'https://sandbox.example' }), false)
  assert.equal(read({ TOLLGATE_BASE_URL: 'http://localhost:8080' }).isLocal, false)
})

test('the ops listener is off unless its port is set, and local unless its host is set', () => {
  assert.equal(read({ TOLLGATE_OPS_HOST: '10.0.0.7' }).ops, undefined)
  assert.deepEqual(read({ TOLLGATE_OPS_PORT: '9090' }).ops, { host: '127.0.0.1', port: 9090 })
  assert.deepEqual(read({ TOLLGATE_OPS_PORT: '9090', TOLLGATE_OPS_HOST: '::' }).ops, {
    host: '::',
    port: 9090,
  })
  for (const port of ['0', '65536', 'x'])
    assert.match(complaint({ TOLLGATE_OPS_PORT: port }), /^TOLLGATE_OPS_PORT must be a whole number/)
})

test('live requires the trusted proxies, and an address must not contain credentials', () => {
  assert.match(complaint({ TOLLGATE_TRUSTED_PROXIES: '' }), /^TOLLGATE_TRUSTED_PROXIES is required in live/)
  for (const proxies of [',', ' ', 'None', 'none,10.0.0.1', 'proxy.example', '10.0.0.0/33'])
    assert.match(
      complaint({ TOLLGATE_TRUSTED_PROXIES: proxies }),
      /^TOLLGATE_TRUSTED_PROXIES must be "none"/,
      proxies,
    )
  assert.deepEqual(read({ TOLLGATE_TRUSTED_PROXIES: 'none' }).trustedProxies, [])
  assert.match(
    complaint({ TOLLGATE_BASE_URL: 'https://user:hidden@pay.example' }),
    /must not contain a user name or password$/,
  )
})
