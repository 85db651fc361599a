import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProxy, requestHead } from './request-head.ts'

test('credentials of an address become a header', () => {
  const url = new URL('http://us%40er:pa%3Ass@acquirer.example:81/pay?a=b')
  assert.equal(
    requestHead('GET', url, { 'x-a': '1' }),
    'GET /pay?a=b HTTP/1.1\r\nhost: acquirer.example:81\r\nauthorization: Basic dXNAZXI6cGE6c3M=\r\nx-a: 1\r\n\r\n',
  )
})

test('a proxy that forwards a request gets the whole address without credentials, and its own credentials', () => {
  const url = new URL('http://user@acquirer.example/pay?a=b')
  assert.equal(
    requestHead('POST', url, {}, readProxy('http://a:b@proxy.example:3128')),
    'POST http://acquirer.example/pay?a=b HTTP/1.1\r\nhost: acquirer.example\r\n' +
      'proxy-authorization: Basic YTpi\r\nauthorization: Basic dXNlcjo=\r\n\r\n',
  )
})

test('a header with a line break, or with characters outside of ASCII, is refused', () => {
  const url = new URL('http://acquirer.example/')
  for (const headers of [{ a: 'x\r\nb: y' }, { 'a\r\nb': 'x' }, { a: 'é' }, { 'a b': 'x' }])
    assert.throws(() => requestHead('GET', url, headers), /malformed/)
})

test('a header that the client writes itself is refused, and a credential of the caller replaces that of the address', () => {
  const url = new URL('http://user:key@acquirer.example/')
  for (const name of ['Host', 'Content-Length', 'transfer-encoding'])
    assert.throws(() => requestHead('POST', url, { [name]: '3' }), /malformed/, name)
  assert.equal(
    requestHead('POST', url, { 'content-length': '3', Authorization: 'Bearer x' }),
    'POST / HTTP/1.1\r\nhost: acquirer.example\r\ncontent-length: 3\r\nAuthorization: Bearer x\r\n\r\n',
  )
})

test('an address of a proxy with a malformed escape is refused at once', () => {
  assert.throws(() => readProxy('http://a%zz@proxy.example/'), URIError)
})
