import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOrders, leftToRefund, type Report } from './orders.ts'

const order = {
  lines: [],
  way: 'card',
  paidAt: 'page',
  money: { amount: 48_00n, currency: 'USD' },
} as const

function after(...reports: readonly Report['status'][]): string | undefined {
  const orders = createOrders(() => {})
  orders.add({ ...order, number: 'S-1' })
  for (const status of reports) orders.report('S-1', { status }, status)
  return orders.find('S-1')?.status
}

test('a paid order stays paid, whatever comes later or late', () => {
  assert.equal(after('pending', 'succeeded', 'failed'), 'succeeded')
  assert.equal(after('succeeded', 'pending', 'unknown'), 'succeeded')
  assert.equal(after('failed', 'pending'), 'failed')
})

test('a failed payment may still succeed: a transfer may come late', () => {
  assert.equal(after('failed', 'succeeded'), 'succeeded')
})

test('refunds under way count as refunded, declined ones do not', () => {
  const orders = createOrders(() => {})
  orders.add({ ...order, number: 'S-1' })
  const refund = {
    number: 'R-1',
    refundNo: undefined,
    money: { amount: 8_00n, currency: 'USD' },
    message: '',
  }
  const left = () => {
    const found = orders.find('S-1')
    assert.ok(found)
    return leftToRefund(found)
  }
  orders.refund('S-1', { ...refund, status: 'sending' }, '')
  assert.equal(left(), 40_00n)
  orders.refund('S-1', { ...refund, status: 'failed' }, '')
  assert.equal(left(), 48_00n)
  orders.refund('S-1', { ...refund, status: 'pending' }, 'an answer that comes after the notification')
  assert.equal(left(), 48_00n)
})

test('only the newest orders are kept', () => {
  const orders = createOrders(() => {})
  for (let at = 0; at < 250; at++) orders.add({ ...order, number: `S-${at}` })
  assert.equal(orders.list().length, 200)
  assert.equal(orders.find('S-0'), undefined)
  assert.equal(orders.list()[0]?.number, 'S-249')
})
