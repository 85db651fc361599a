import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { QRPay } from 'vietnam-qr-pay'
import { crc16, type EmvField, emvText, readEmv, readTemplate, writeEmv } from './emv-qr.ts'

test('the checksum is that of the standard, and always four digits', () => {
  assert.equal(crc16('123456789'), '29B1')
  assert.equal(crc16(''), 'FFFF')
  const short = Array.from({ length: 500 }, (_, number) => crc16(String(number))).filter((crc) =>
    crc.startsWith('0'),
  )
  assert.ok(short.length > 0)
  assert.ok(short.every((crc) => /^[0-9A-F]{4}$/.test(crc)))
})

test('an independent implementation computes the same checksum', () => {
  fc.assert(
    fc.property(printable({ maxLength: 200 }), (text) => {
      assert.equal(crc16(text), QRPay.genCRCCode(text))
    }),
  )
})

test('a payload consists of ids, lengths and values, with nested templates', () => {
  const payload = writeEmv([
    ['00', '01'],
    [
      '62',
      [
        ['05', 'ORDER-1'],
        ['07', 'T1'],
      ],
    ],
  ])
  assert.equal(payload.slice(0, -4), '00020162170507ORDER-10702T16304')
})

test('a payload is read back, but not with any character changed', () => {
  fc.assert(
    fc.property(fields, fc.nat(), printable({ minLength: 1, maxLength: 1 }), (written, where, other) => {
      const payload = writeEmv(written)
      const { 63: crc, ...values } = Object.fromEntries(readEmv(payload) ?? [])
      assert.equal(crc, payload.slice(-4))
      assert.deepEqual(values, Object.fromEntries(written))
      const at = where % payload.length
      if (payload[at] !== other)
        assert.equal(readEmv(payload.slice(0, at) + other + payload.slice(at + 1)), undefined)
    }),
  )
})

test('a template with a wrong length or a repeated field is invalid', () => {
  assert.deepEqual([...(readTemplate('0503abc') ?? [])], [['05', 'abc']])
  for (const broken of ['0504abc', '0502abc', '05', '0500', '0501a0501b', '05-1a', '0501é'])
    assert.equal(readTemplate(broken), undefined, broken)
})

test('a value that would break the lengths is never written', () => {
  const wrong: readonly EmvField[] = [
    ['59', ''],
    ['59', 'x'.repeat(100)],
    ['59', 'Café'],
    ['5', 'x'],
    ['62', [['05', 'x'.repeat(96)]]],
  ]
  for (const field of wrong) assert.throws(() => writeEmv([field]))
})

test('accents and other scripts are removed from names', () => {
  assert.equal(emvText('São João  Café', 25, '-'), 'Sao Joao Cafe')
  assert.equal(emvText('Cửa hàng Đỏ', 25, '-'), 'Cua hang Do')
  assert.equal(emvText('Shop 商店 7', 25, '-'), 'Shop 7')
  assert.equal(emvText('商店', 25, 'SHOP'), 'SHOP')
  assert.equal(emvText('A name that is cut at a space', 7, '-'), 'A name')
})

function printable(bounds: { minLength?: number; maxLength: number }): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    ...bounds,
  })
}

const ids = fc.integer({ min: 0, max: 62 }).map((id) => String(id).padStart(2, '0'))
const fields = fc.uniqueArray(fc.tuple(ids, printable({ minLength: 1, maxLength: 99 })), {
  minLength: 1,
  maxLength: 8,
  selector: ([id]) => id,
})
