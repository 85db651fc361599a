import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceCookie, readCookie, sessionCookie } from './cookie.ts'

const secure = 'Path=/; HttpOnly; SameSite=Strict; Secure'

test('over https a cookie is bound to its host, and sent by our own pages only', () => {
  const cookie = sessionCookie('https://pay.example')
  assert.equal(cookie.write('token'), `__Host-tollgate=token; ${secure}`)
  assert.equal(cookie.write(undefined), `__Host-tollgate=; ${secure}; Max-Age=0`)
  const device = deviceCookie('https://pay.example').write('device')
  assert.equal(device, `__Host-tollgate-device=device; ${secure}; Max-Age=31536000`)
})

test('the sandbox works on plain localhost', () => {
  const cookie = sessionCookie('http://localhost:8080')
  assert.equal(cookie.write('token'), 'tollgate=token; Path=/; HttpOnly; SameSite=Strict')
})

test('a cookie is read by its whole name', () => {
  const cookie = sessionCookie('https://pay.example')
  assert.equal(readCookie(cookie, 'tollgate=planted; __Host-tollgate=own'), 'own')
  assert.equal(readCookie(cookie, 'tollgate=planted'), undefined)
  assert.equal(readCookie(cookie, '__Host-tollgate='), undefined)
})
