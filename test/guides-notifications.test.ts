// Compares the notifications that the guides show with the code: events, fields, signatures.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notificationFields } from '../src/interfaces/merchant-api/fields/sent-fields.ts'
import { canonicalString } from '../src/money/merchants/sign-fields.ts'
import { eventRules, type NotificationEvent } from '../src/money/notifications/notification.ts'
import type { Fields } from '../src/platform/base/object.ts'
import { md5 } from '../src/platform/base/secret.ts'
import { blocksOf, guideNamed, problemsOf } from './harness/guides.ts'

describe('the notifications that the guide shows', () => {
  const guide = guideNamed('notifications')
  const key = /signed with the key `([^`]+)`/.exec(guide.text)?.[1] ?? ''
  const sections = guide.text.split(/^### /m).slice(1)

  it('every event has one, in its content type', () => {
    assert.deepEqual(
      sections.map((text) => text.split('\n')[0]),
      Object.keys(notificationFields),
    )
    for (const [event, { contentType }] of Object.entries(eventRules))
      for (const { language } of bodiesOf(event))
        assert.equal(language, contentType === 'json' ? 'json' : 'text')
  })

  for (const event of Object.keys(notificationFields).filter(isEvent))
    it(`${event} has a valid signature and the fields of the code`, () => {
      for (const { language, code } of bodiesOf(event)) {
        const body: Fields =
          language === 'json' ? JSON.parse(code) : Object.fromEntries(new URLSearchParams(code.trim()))
        assert.equal(md5(`event=${event}&${canonicalString(body)}${key}`), body.sign)
        const { sign: _, ...rest } = body
        assert.deepEqual(problemsOf(notificationFields[event], rest), [])
      }
    })

  it('the text that is signed is shown', () => {
    const [body] = bodiesOf('payment')
    const { sign: _, ...rest } = Object.fromEntries(new URLSearchParams(body?.code.trim()))
    const [shown] = blocksOf(guide)
    assert.equal(shown?.code.trim(), `event=payment&${canonicalString(rest)}${key}`)
  })

  function bodiesOf(event: string) {
    const text = sections.find((one) => one.startsWith(`${event}\n`)) ?? ''
    return blocksOf({ name: event, text: text.split(/^## /m)[0] ?? '' })
  }
})

function isEvent(name: string): name is NotificationEvent {
  return Object.hasOwn(eventRules, name)
}
