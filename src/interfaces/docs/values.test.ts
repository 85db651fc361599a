import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportLines, fillIn, valuesFor } from './values.ts'

const demo = { merNo: 37416822, key: 'secret', site: 'localhost' }

const local = { sandbox: true, isLocal: true, baseUrl: 'http://127.0.0.1:8080' }

function keyAt(host: string | undefined, gateway = local): string | undefined {
  return valuesFor(gateway, demo, host).key
}

describe('the numbers in samples', () => {
  it('include the key only on the machine itself', () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
      assert.equal(keyAt(host), 'secret', host)
    assert.equal(keyAt('localhost:8080', { ...local, isLocal: false }), undefined)
  })

  it('leave out the key if the browser came by another name', () => {
    for (const host of ['evil.example', 'localhost.evil.example', 'localhost@evil.example', '', undefined])
      assert.equal(keyAt(host), undefined, String(host))
  })

  it('are stand-ins in live and without a demo merchant', () => {
    assert.equal(keyAt('127.0.0.1:8080', { ...local, sandbox: false }), undefined)
    const values = valuesFor(local, undefined, '127.0.0.1')
    assert.equal(fillIn('{{merNo}} {{key}} {{site}}', values), 'YOUR_NUMBER YOUR_KEY shop.example')
  })

  it('are set for the runnable samples', () => {
    const values = valuesFor({ ...local, baseUrl: 'http://localhost:8080' }, demo, 'localhost:8080')
    assert.equal(
      exportLines(values),
      'export TOLLGATE_URL=http://localhost:8080\nexport TOLLGATE_MERNO=37416822\nexport TOLLGATE_SITE=localhost\nexport TOLLGATE_KEY=secret',
    )
  })
})
