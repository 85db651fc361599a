import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import { registerHome } from './home-page.ts'

function appWith(sandbox: boolean) {
  const app = fastify()
  registerHome(app, { sandbox, baseUrl: 'https://pay.example/<gate>' })
  return app
}

describe('the page at /', () => {
  it('explains in sandbox how to make a first payment and where the keys are', async () => {
    const { statusCode, headers, body } = await appWith(true).inject('/')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    for (const words of ['Sandbox: no money moves', 'pay --card 4242424242424242', 'demo.json', 'README.md'])
      assert.ok(body.includes(words), words)
    assert.match(body, /<a href="metrics">/)
  })

  it('says in live that money moves, and sends payers to their shop', async () => {
    const { body } = await appWith(false).inject('/')
    assert.match(body, /<strong>live<\/strong>/)
    assert.match(body, /Open the link from your shop again/)
    assert.doesNotMatch(body, /4242|demo|npm run|href="metrics"|Sandbox/i)
  })

  it('has the security headers of every page, answers HEAD, and uses no inline style or script', async () => {
    for (const sandbox of [true, false]) {
      const app = appWith(sandbox)
      const { headers, body } = await app.inject('/')
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
      assert.equal(headers['cache-control'], 'no-store')
      assert.doesNotMatch(body, /<script>|<style| style=| on[a-z]+=/)
      assert.ok(body.includes('https://pay.example/&#60;gate&#62;'))
      const head = await app.inject({ method: 'HEAD', url: '/' })
      assert.deepEqual([head.statusCode, head.body], [200, ''])
      assert.equal((await app.inject('/assets/home.css')).headers['content-type'], 'text/css; charset=utf-8')
    }
  })
})
