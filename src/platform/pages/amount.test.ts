import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { money, moneyOf, plainAmount } from './amount.ts'
import { moment, sentenceWithMoment } from './moment.ts'

/** Removes the several kinds of spaces and the direction marks that Intl uses. */
const plain = (text: string) =>
  text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f\u2066\u2069]/g, '')

describe('money on pages', () => {
  it('has the decimals of its currency, even where Intl differs', () => {
    assert.equal(money('1234567.80', 'USD'), '$1,234,567.80')
    assert.equal(money('500.00', 'JPY'), '¥500')
    assert.equal(plain(money('1.500', 'IQD')), 'IQD 1.500')
    assert.equal(money('1.000000', 'USDT'), '1.000000 USDT')
  })

  it('is formatted for the locale, always with its currency', () => {
    const said = ['en', 'zh-CN', 'es', 'pt-BR', 'vi', 'de', 'fr', 'ar-u-nu-latn'].map((locale) =>
      plain(moneyOf({ amount: 123456n, currency: 'EUR' }, locale)),
    )
    assert.deepEqual(said, [
      '€1,234.56',
      '€1,234.56',
      '1234,56 €',
      '€ 1.234,56',
      '1.234,56 €',
      '1.234,56 €',
      '1 234,56 €',
      '1,234.56 €',
    ])
  })

  it('is isolated in Arabic text, and uses Latin digits', () => {
    assert.equal(money('24.00', 'USD', 'ar-u-nu-latn').replace(/\u00a0/g, ' '), '\u206624.00 US$\u2069')
  })

  it('is copied as digits and a decimal point', () => {
    assert.equal(plainAmount({ amount: 123456n, currency: 'EUR' }), '1234.56')
    assert.equal(plainAmount({ amount: 250000n, currency: 'VND' }), '250000')
  })

  it('that is not a number is shown unchanged', () => {
    assert.equal(money('<b>', 'USD', 'de'), '<b> USD')
  })
})

describe('a moment on pages', () => {
  it('names its time zone, because the server does not know the reader’s', () => {
    const at = new Date('2026-03-14T15:30:00Z')
    assert.equal(plain(moment(at, 'en')), 'March 14 at 03:30 PM UTC')
    assert.match(moment(at, 'de'), /14\. März um 15:30 UTC/)
  })

  it('has a machine-readable time, so that the script can show it in the reader’s time zone', () => {
    const { html } = sentenceWithMoment('Zahlen Sie bis {}.', new Date('2026-03-14T15:30:00Z'), 'de')
    assert.equal(
      html,
      'Zahlen Sie bis <time datetime="2026-03-14T15:30:00.000Z">14. März um 15:30 UTC</time>.',
    )
  })
})
