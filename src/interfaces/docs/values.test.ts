import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportLines, fillIn, valuesFor } from './values.ts'

const demo = { merNo: 37416822, key: 'secret', site: 'localhost' }

function keyAt(baseUrl: string, host: string | undefined, sandbox = true): string | undefined {
  return valuesFor({ sandbox, baseUrl }, demo, host).key
}

describe('the numbers in samples', () => {
  it('include the key only on the machine itself', () => {
    assert.equal(keyAt('http://localhost:8080', 'localhost:8080'), 'secret')
    assert.equal(keyAt('http://127.0.0.1:8080', 'localhost:8080'), 'secret')
    assert.equal(keyAt('http://[::1]:8080', '[::1]:8080'), 'secret')
    const elsewhere = [
      'https://pay.example',
      'http://127.0.0.1.evil.example',
      'http://10.0.0.1',
      'http://0.0.0.0:8080',
    ]
    for (const baseUrl of elsewhere) assert.equal(keyAt(baseUrl, 'localhost:8080'), undefined, baseUrl)
  })

  it('leave out the key if the browser came by another name', () => {
    for (const host of ['evil.example', 'localhost.evil.example', 'localhost@evil.example', '', undefined])
      assert.equal(keyAt('http://127.0.0.1:8080', host), undefined, String(host))
  })

  it('are stand-ins in live and without a demo merchant', () => {
    assert.equal(keyAt('http://127.0.0.1:8080', '127.0.0.1:8080', false), undefined)
    const values = valuesFor({ sandbox: true, baseUrl: 'http://127.0.0.1' }, undefined, '127.0.0.1')
    assert.equal(fillIn('{{merNo}} {{key}} {{site}}', values), 'YOUR_NUMBER YOUR_KEY shop.example')
  })

  it('are set for the runnable samples', () => {
    const values = valuesFor({ sandbox: true, baseUrl: 'http://localhost:8080' }, demo, 'localhost:8080')
    assert.equal(
      exportLines(values),
      'export TOLLGATE_URL=http://localhost:8080\nexport TOLLGATE_MERNO=37416822\nexport TOLLGATE_SITE=localhost\nexport TOLLGATE_KEY=secret',
    )
  })
})
