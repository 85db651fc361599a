import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QRPay } from 'vietnam-qr-pay'
import { scanQr } from '../../../../test/harness/scan-qr.ts'
import { readEmv, readTemplate } from './emv-qr.ts'
import { type VietQr, vietQr } from './viet-qr.ts'

const given: VietQr = {
  bin: '970436',
  account: '9704360000042',
  money: { amount: 250_000n, currency: 'VND' },
  reference: 'TG000000042',
}

test('a code contains bank, account, amount in dong and purpose', () => {
  const code = new QRPay(vietQr(given))
  assert.ok(code.isValid)
  assert.deepEqual({ ...code.consumer }, { bankBin: '970436', bankNumber: '9704360000042' })
  assert.equal(code.amount, '250000')
  assert.equal(code.currency, '704')
  assert.equal(code.nation, 'VN')
  assert.equal(code.additionalData.purpose, 'TG000000042')
  assert.equal(code.provider.service, 'QRIBFTTA')
})

test('our EMV reader finds the same values and a valid checksum', () => {
  const values = readEmv(vietQr(given) ?? '')
  assert.equal(values?.get('54'), '250000')
  const account = readTemplate(values?.get('38') ?? '')
  assert.equal(account?.get('00'), 'A000000727')
  assert.equal(readTemplate(account?.get('01') ?? '')?.get('01'), '9704360000042')
})

test('a scanner reads the QR image back', () => {
  const payload = vietQr(given) ?? ''
  assert.equal(scanQr(payload), payload)
})

test('invalid parts give no code', () => {
  const wrong: readonly Partial<VietQr>[] = [
    { bin: '97043' },
    { account: '' },
    { account: '1'.repeat(20) },
    { account: '97 04' },
    { reference: '' },
    { reference: 'x'.repeat(26) },
    { reference: 'thanh toán' },
    { money: { amount: 0n, currency: 'VND' } },
    { money: { amount: 100n, currency: 'USD' } },
  ]
  for (const change of wrong)
    assert.equal(vietQr({ ...given, ...change }), undefined, Object.keys(change).join())
})
