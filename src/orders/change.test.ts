import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOrder } from '../../test/builders.ts'
import { notificationOf } from './change.ts'
import { State } from './states.ts'

test('only the end of a payment that needs no review is surely its first notification', () => {
  for (const needsReview of [false, true]) {
    const order = anOrder({ needsReview })
    const notification = notificationOf({ order, state: State.succeeded, message: '', at: new Date() })
    assert.equal(notification?.isFirst, !needsReview)
  }
})
