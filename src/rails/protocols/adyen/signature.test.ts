import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hmacOf, type NewItem, notification } from '../../../../sandbox/adyen/signature.ts'
import { isSignedBody, readItems, signatureOf } from './signature.ts'

/** A test vector from Adyen's own libraries. */
const HEX = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00'
const key = Buffer.from(HEX, 'hex')

const item: NewItem = {
  eventCode: 'AUTHORISATION',
  success: true,
  pspReference: 'P1',
  merchantAccountCode: 'Shop',
  merchantReference: 'A:1\\x',
  amount: { value: 1000, currency: 'EUR' },
}

describe("an item's signature", () => {
  it("is that of Adyen's published vector", () => {
    const vector = {
      pspReference: 'pspReference',
      originalReference: 'originalReference',
      merchantAccountCode: 'merchantAccount',
      merchantReference: 'reference',
      amount: { value: 1000, currency: 'EUR' },
      eventCode: 'REPORT_AVAILABLE',
      success: 'true',
    }
    assert.equal(signatureOf(vector, key), 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=')
  })

  it('is over the fields as they are, without escaping; an absent one is empty', () => {
    const [read] = readItems(notification([item], HEX), key) ?? []
    assert.equal(read?.reference, 'A:1\\x')
    assert.equal(read?.originalPsp, '')
    assert.deepEqual(read?.money, { amount: 1000n, currency: 'EUR' })
  })
})

describe('a message', () => {
  it('may have several items, and is refused if one of them is not signed', () => {
    const other = { ...item, pspReference: 'P2', success: false }
    const body = notification([item, other], HEX)
    assert.deepEqual(
      readItems(body, key)?.map(({ psp, isSuccess }) => [psp, isSuccess]),
      [
        ['P1', true],
        ['P2', false],
      ],
    )
    assert.equal(readItems(body.replace('"P2"', '"P3"'), key), undefined)
    assert.equal(readItems(body, Buffer.from('00'.repeat(32), 'hex')), undefined)
  })

  it('is refused when a signed field was changed or the message is not one of Adyen', () => {
    const body = notification([item], HEX)
    const changes = [
      ['1000', '1001'],
      ['EUR', 'USD'],
      ['AUTHORISATION', 'REFUND'],
      ['"success":"true"', '"success":"false"'],
      ['"Shop"', '"Shop2"'],
      ['hmacSignature', 'signature'],
    ] as const
    for (const [from, to] of changes) assert.equal(readItems(body.replace(from, to), key), undefined, to)
    for (const rubbish of [
      '',
      '{}',
      '[]',
      'null',
      '{"notificationItems":[]}',
      '{"notificationItems":[null]}',
    ])
      assert.equal(readItems(rubbish, key), undefined, rubbish)
  })
})

describe('a message about a transfer', () => {
  it('is signed as a whole', () => {
    const body = '{"type":"balancePlatform.transfer.updated","data":{}}'
    assert.ok(isSignedBody(body, hmacOf(body, HEX), key))
    assert.ok(!isSignedBody(`${body} `, hmacOf(body, HEX), key))
    assert.ok(!isSignedBody(body, '', key))
  })
})
