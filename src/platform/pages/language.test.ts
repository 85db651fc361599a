import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseLanguage, languages, translationOf } from './language.ts'
import { en } from './translations/en.ts'

describe("a page's language", () => {
  it('is the one that the shop sent, in any of its variants', () => {
    assert.equal(chooseLanguage('de-AT', 'fr'), 'de')
    assert.equal(chooseLanguage('zh_CN', undefined), 'zh')
    assert.equal(chooseLanguage('PT', undefined), 'pt')
  })

  it("is the browser's preferred supported language if the shop sent none, or else English", () => {
    assert.equal(chooseLanguage('', 'nl, ar;q=0.5, es-MX;q=0.9, en;q=0.1'), 'es')
    assert.equal(chooseLanguage('tlh', 'vi-VN,vi;q=0.9,en;q=0.8'), 'vi')
    assert.equal(chooseLanguage('', 'de;q=0, fr;q=0.2'), 'fr')
    for (const nothing of [undefined, '', 'nl', '*', ';;q=,,', 'constructor', 'x'.repeat(5000)])
      assert.equal(chooseLanguage('', nothing), 'en')
  })

  it('is Traditional Chinese by script or region, and Simplified otherwise', () => {
    const traditional = [
      'zh-TW',
      'zh_TW',
      'zh-HK',
      'ZH-mo',
      'zh-Hant',
      'zh-Hant-CN',
      'zh-Hant-TW',
      'zh-yue-HK',
    ]
    for (const tag of traditional) assert.equal(chooseLanguage(tag, 'en'), 'zh-hant', tag)
    for (const tag of ['zh', 'zh-CN', 'zh-SG', 'zh-Hans', 'zh-Hans-HK', 'zh_Hans_TW'])
      assert.equal(chooseLanguage(tag, 'en'), 'zh', tag)
    assert.equal(chooseLanguage('', 'zh-TW,zh;q=0.9,en-US;q=0.8'), 'zh-hant')
    assert.equal(chooseLanguage('', 'zh-CN,zh-TW;q=0.9'), 'zh')
    const { tag, locale } = translationOf('zh-hant')
    assert.deepEqual({ tag, locale }, { tag: 'zh-Hant', locale: 'zh-TW' })
  })

  it('is right to left only in Arabic', () => {
    assert.deepEqual(
      languages.filter((language) => translationOf(language).dir === 'rtl'),
      ['ar'],
    )
  })
})

type Leaf = { readonly path: string; readonly said: string }

/** Returns every text of a table. Functions are called with placeholders as values. */
function leavesOf(words: object, path = ''): Leaf[] {
  return Object.entries(words).flatMap(([key, word]): Leaf[] => {
    const here = `${path}.${key}`
    if (typeof word === 'string') return [{ path: here, said: word }]
    if (typeof word === 'function') return [{ path: here, said: word('«1»', '«2»') }]
    return leavesOf(word, here)
  })
}

/** Texts that may be equal in several languages, such as names of schemes. */
const shared = /methods\.\w+\.name|labels\.|payout\.(accounts|kinds)|choices\.|fields\.|order\.total|advice$/

describe('the texts of the pages', () => {
  const english = new Map(leavesOf(en).map(({ path, said }) => [path, said]))

  for (const language of languages.filter((name) => name !== 'en')) {
    it(`are all translated to ${language}, with all values`, () => {
      for (const { path, said } of leavesOf(translationOf(language).words)) {
        const original = english.get(path) ?? ''
        assert.equal(said === '', original === '', `${language}${path} is empty`)
        for (const mark of ['«1»', '«2»'])
          assert.equal(said.includes(mark), original.includes(mark), `${language}${path} loses ${mark}`)
        if (!shared.test(path)) assert.notEqual(said, original, `${language}${path} is English`)
      }
    })
  }

  it('in Traditional Chinese contain no Simplified characters', () => {
    const simplified = /[订单账户钱银转确认选择请输码网络时间发车门问题数错误过页书东]/
    const found = leavesOf(translationOf('zh-hant').words).filter(({ said }) => simplified.test(said))
    assert.deepEqual(found, [])
  })
})
