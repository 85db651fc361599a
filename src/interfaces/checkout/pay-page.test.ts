import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { acting, actions, allViews, choiceOf, choosing } from '../../../test/builders/checkout-views.ts'
import { languages, translationOf } from '../../platform/pages/language.ts'
import { assetsFolder } from '../../platform/pages/manifest.ts'
import { methodNames, methods } from '../../rails/methods/methods.ts'
import { brokenPage, missingPage, payPage } from './pay-page.ts'
import type { FormState } from './view.ts'

const context = { sandbox: true, assets: '../assets', basePath: 'TOKEN/' }
const untouched: FormState = { values: {}, problems: {} }
const pageOf = (view: Parameters<typeof payPage>[1], formState = untouched) =>
  payPage(context, view, formState)

describe('the page to choose a method', () => {
  it('has one form per method, each with its own fields and the number of attempts it was made for', () => {
    const page = pageOf({ ...choosing('card', 'pix', 'alipay'), attempts: 2 })
    const forms = page.match(/<form[\s\S]*?<\/form>/g) ?? []
    const pays = forms.filter((form) => form.includes('action="TOKEN/pay"'))
    assert.deepEqual(
      pays.map((form) => /name="method" value="(\w+)"/.exec(form)?.[1]),
      ['card', 'pix', 'alipay'],
    )
    for (const form of forms) assert.match(form, /name="attempt" value="2"/)
    for (const form of pays) assert.match(form, /<button class="button">Pay €24\.00<\/button>/)
    const fields = pays.map((form) => [...form.matchAll(/ name="(\w+)" required/g)].map(([, name]) => name))
    assert.deepEqual(fields[0]?.slice(0, 3), ['cardNo', 'cardExpiry', 'cardSecurityCode'])
    assert.deepEqual(
      fields[1],
      methods.pix.asks.map(({ name }) => name),
    )
    assert.deepEqual(fields[2], [])
  })

  it('does not require a postal code while the country is unknown, and requires it once it is known', () => {
    const inputOf = (page: string) => /<input[^>]* name="billingZipCode"[^>]*>/.exec(page)?.[0] ?? ''
    const open = pageOf(choosing('card'))
    assert.match(inputOf(open), /data-decided-by="billingCountry" data-optional-in="AE [A-Z ]+ HK /)
    assert.doesNotMatch(inputOf(open), / required/)
    const asks = methods.card.asks.filter(({ name }) => name !== 'billingCountry')
    const needed = pageOf({ ...choosing(), choices: [{ method: 'card', asks }] })
    assert.match(inputOf(needed), / required/)
    assert.doesNotMatch(needed, /data-optional-in/)
  })

  it('unfolds the first method, or the chosen one', () => {
    const chosen = (page: string) =>
      [...page.matchAll(/value="(\w+)" autocomplete="off" checked/g)].map((way) => way[1])
    assert.deepEqual(chosen(pageOf(choosing('card', 'pix'))), ['card'])
    assert.deepEqual(chosen(pageOf(choosing('card', 'pix'), { ...untouched, method: 'pix' })), ['pix'])
    const declined = { ...choosing('card', 'pix'), method: 'pix', message: 'Declined' } as const
    assert.deepEqual(chosen(pageOf(declined)), ['pix'])
  })

  it('offers no choice if the merchant chose the method', () => {
    const page = pageOf(choosing('pix'))
    assert.doesNotMatch(page, /type="radio"/)
    assert.match(page, /<h1>Pay with Pix<\/h1>/)
  })

  it('keeps typed values and shows problems at their fields, but never returns card number and code', () => {
    const values = {
      cardNo: '4242424242424241',
      cardSecurityCode: '987',
      cardExpiry: '13/29',
      billingZipCode: '15046',
    }
    const problems = { cardNo: 'cardNumber', cardExpiry: 'expiry' } as const
    const page = pageOf(choosing('pix', 'card'), { method: 'card', values, problems })
    assert.match(
      page,
      /name="cardExpiry" required aria-invalid="true" aria-describedby="card-cardExpiry-problem" value="13\/29"/,
    )
    assert.match(page, /id="card-cardExpiry-problem">Enter month and year/)
    assert.match(page, /name="billingZipCode"[^>]* value="15046"/)
    assert.doesNotMatch(page, /424242|987/)
  })

  it('shows the marks of the card brands that the merchant accepts, with their names as text', () => {
    const marksOn = (page: string) => {
      const [, label, pictures = ''] =
        /<span class="brands"[^>]* aria-label="([^"]*)">(.*?)<\/span>/.exec(page) ?? []
      return { label, number: pictures.split('<svg').length - 1, pictures }
    }
    const all = marksOn(pageOf(choosing('card')))
    assert.equal(all.number, 7)
    assert.match(all.label ?? '', /^Accepted cards: Visa, .*American Express/)
    const some = marksOn(pageOf({ ...choosing('card'), cardBrands: ['visa', 'maestro'] }))
    assert.equal(some.number, 2)
    assert.match(some.pictures, /class="mark visa"[\s\S]*>Maestro<\/text>/)
    assert.equal(some.label, 'Accepted cards: Visa and Maestro')
    const many = ['visa', 'maestro', 'elo', 'mir', 'hiper', 'hipercard', 'verve', 'jcb']
    assert.equal(marksOn(pageOf({ ...choosing('card'), cardBrands: many })).number, 7)
    const german = pageOf({ ...choosing('card'), language: 'de', cardBrands: ['visa'] })
    assert.equal(marksOn(german).label, 'Akzeptierte Karten: Visa')
    assert.match(
      german,
      /<input[^>]* name="cardNo"[^>]* aria-describedby="card-cardNo-brands card-cardNo-problem"/,
    )
  })

  it('does not show values typed for one method in another', () => {
    const formState: FormState = {
      method: 'pix',
      values: { email: 'payer@example.com' },
      problems: { email: 'email' },
    }
    const page = pageOf(choosing('pix', 'sepa'), formState)
    assert.match(page, /id="pix-email" name="email"[^>]* value="payer@example.com"/)
    assert.match(page, /id="sepa-email" name="email" required aria-describedby="sepa-email-problem" value=""/)
  })

  it('says why the last attempt failed, in the reader’s language', () => {
    const declined = { ...choosing('card'), attempts: 1, message: 'Insufficient funds' }
    assert.match(pageOf(declined), /role="alert"[\s\S]*not enough money[\s\S]*another way/)
    assert.match(pageOf({ ...declined, language: 'es' }), /No hay saldo suficiente/)
    assert.match(pageOf({ ...declined, message: 'Ask <your> bank' }), /Ask &#60;your&#62; bank\. You can try/)
  })

  it('has a text for every question and choice of every method in every language', () => {
    for (const language of languages) {
      const { fields } = translationOf(language).words
      for (const method of methodNames())
        for (const { name } of choiceOf(method).asks)
          assert.ok(Object.hasOwn(fields, name), `${method} asks ${name}`)
    }
    assert.match(pageOf({ ...choosing('per_transfer'), language: 'de' }), /<option value="03">Reisepass</)
    assert.match(pageOf({ ...choosing('card'), language: 'fr' }), /<option value="DE">Allemagne</)
  })
})

describe('the page with something to do', () => {
  it('submits a challenge by a form that needs no script', () => {
    const page = pageOf(acting('card', actions.challenge))
    assert.match(page, /<form method="post" action="https:\/\/bank\.example\/acs" data-auto-submit>/)
    assert.match(page, /<input type="hidden" name="creq" value="eyJhIjoxfQ">/)
  })

  it('shows a code with its amount, the time left, and a button for the app', () => {
    const page = pageOf(acting('pix', actions.qr))
    assert.match(page, /<svg class="qr"/)
    assert.match(page, /<p class="amount">€24\.00<\/p>/)
    assert.match(
      page,
      /data-until="2030-01-02T03:04:05\.000Z"[^>]*>Pay by <time datetime="2030-01-02T03:04:05\.000Z">January 2 at 03:04 AM UTC<\/time>/,
    )
    assert.match(page, /<a class="button app" href="https:\/\/bank\.example\/app"/)
    assert.match(page, new RegExp(`data-copy="${actions.qr.qrCode}"`))
  })

  it('does not link to an app address that could be a script', () => {
    const page = pageOf(acting('pix', { ...actions.qr, appUrl: 'javascript:alert(1)' }))
    assert.doesNotMatch(page, /javascript:/)
  })

  it('has copy buttons for every detail of a transfer, in the form that banks expect', () => {
    const page = pageOf(acting('sepa', actions.transfer))
    const copied = [...page.matchAll(/data-copy="([^"]+)"/g)].map(([, text]) => text)
    assert.deepEqual(copied, [
      '24.00',
      'DE89370400440532013000',
      'RF18539007547034',
      'Lamp shop',
      'ABNADEFFXXX',
    ])
    assert.match(page, /<span>DE89<\/span><wbr><span>3704<\/span>/)
  })

  it('says how much arrived and how much is missing, and asks for the rest', () => {
    const page = pageOf({ ...acting('sepa', actions.transfer), received: { amount: 1000n, currency: 'EUR' } })
    assert.match(page, /€10\.00 has arrived, €14\.00 is still missing/)
    assert.match(page, /data-copy="14\.00"/)
  })

  it('warns about other networks, and has copy buttons for amount and address', () => {
    const page = pageOf(acting('crypto', actions.crypto))
    assert.match(page, /Send only USDT, and only on Ethereum \(ERC-20\)/)
    const copied = [...page.matchAll(/data-copy="([^"]+)"/g)].map(([, text]) => text)
    assert.deepEqual(copied, ['26.091304', actions.crypto.account])
  })

  it('counts confirmations once a transfer was seen, and no longer asks for one', () => {
    const page = pageOf(acting('crypto', { ...actions.crypto, confirmations: 1 }))
    assert.match(page, /1 of 3 confirmations[\s\S]*<progress max="3" value="1"/)
    assert.doesNotMatch(page, /data-copy|class="qr"/)
  })

  it('offers to switch or cancel only if that is allowed', () => {
    const view = acting('pix', actions.qr)
    assert.match(pageOf(view), /action="TOKEN\/switch"[\s\S]*action="TOKEN\/cancel"/)
    assert.doesNotMatch(pageOf({ ...view, maySwitch: false, mayCancel: false }), /TOKEN\/(switch|cancel)/)
  })
})

describe('every page', () => {
  const pages = Object.entries(allViews)
  const listens = ['redirect', 'in app', 'qr', 'transfer', 'part paid', 'crypto', 'crypto seen', 'processing']

  it('updates itself if its state may change, also without script', () => {
    for (const [name, view] of pages) {
      const page = pageOf(view)
      assert.equal(
        /data-events="TOKEN\/events" data-status="TOKEN\/status"/.test(page),
        listens.includes(name),
        name,
      )
      assert.equal(page.includes('<noscript><meta http-equiv="refresh"'), listens.includes(name), name)
    }
  })

  it('links back to the shop at the end, and only to web addresses', () => {
    for (const status of ['succeeded', 'failed', 'cancelled', 'expired'] as const) {
      const view = { ...choosing(), status }
      assert.match(
        pageOf(view),
        /<a class="button" href="https:\/\/shop\.example\/back\?a=1&#38;b=2"[^>]*data-auto-return/,
      )
      assert.match(pageOf(view), /lamp-7[\s\S]*€24\.00/)
      for (const returnUrl of ['javascript:alert(1)', 'data:text/html,x', '', 'shop.example'])
        assert.doesNotMatch(pageOf({ ...view, returnUrl }), /<a /)
    }
  })

  it("keeps the shop's address unchanged, escaped so that browsers decode it", () => {
    const returnUrl = 'https://shop.example/?q=Zoë+%c3%a9&x=\'a"b&tradeNo=9#/a?b'
    const written = 'https://shop.example/?q=Zoë+%c3%a9&#38;x=&#39;a&#34;b&#38;tradeNo=9#/a?b'
    const [, href] =
      /<a class="button" href="([^"]*)"/.exec(pageOf({ ...choosing(), status: 'failed', returnUrl })) ?? []
    assert.equal(href, written)
  })

  it('distinguishes expired and cancelled orders', () => {
    const [cancelled, expired] = ['cancelled', 'expired'].map((name) =>
      pageOf(Object.fromEntries(pages)[name] ?? choosing()),
    )
    assert.match(cancelled ?? '', /<h1>This payment was cancelled<\/h1>/)
    assert.doesNotMatch(cancelled ?? '', /expired|ran out/)
    assert.match(expired ?? '', /<h1>This payment has expired<\/h1>/)
    assert.doesNotMatch(expired ?? '', /cancel/)
  })

  it("shows the merchant's name, logo and colour, and says when no money moves", () => {
    for (const [, view] of pages) {
      const page = pageOf(view)
      assert.match(page, /<img class="logo" src="TOKEN\/logo" alt="">/)
      assert.match(page, /href="\.\.\/assets\/accent\/ffd400\.css"/)
      assert.match(page, /Sandbox: no money moves/)
      assert.doesNotMatch(payPage({ ...context, sandbox: false }, view, untouched), /Sandbox/)
    }
  })

  it("is in the order's language, or else the browser's", () => {
    const view = choosing('card')
    assert.match(payPage({ ...context, acceptLanguage: 'ar' }, view, untouched), /<html lang="ar" dir="rtl">/)
    assert.match(pageOf({ ...view, language: 'zh-CN' }), /<html lang="zh-Hans" dir="ltr">/)
    for (const lone of [missingPage, brokenPage])
      assert.match(lone({ ...context, acceptLanguage: 'vi' }), /<html lang="vi" dir="ltr">/)
  })

  it('is smaller than 60 kB over the wire with its style and script, in every language', () => {
    const files = ['pay.css', 'fields.js', 'pay.js'].map(
      (name) => gzipSync(readFileSync(new URL(name, assetsFolder))).length,
    )
    const products = Array.from({ length: 1000 }, () => ({
      name: 'x'.repeat(128),
      quantity: '1',
      price: '1.00',
    }))
    for (const language of languages)
      for (const [name, view] of pages) {
        const bytes = Buffer.byteLength(pageOf({ ...view, language, products }))
        const all = files.reduce((sum, file) => sum + file, bytes)
        assert.ok(all < 60_000, `${name} in ${language}: ${all}`)
      }
  })
})
