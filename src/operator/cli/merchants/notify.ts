import { listNotifications } from '../../../money/notifications/list-notifications.ts'
import {
  LIST_LIMIT,
  type ListedNotification,
  type NotificationState,
  notificationStates,
} from '../../../money/notifications/notification.ts'
import { pauseMerchant, resumeMerchant } from '../../../money/notifications/pause-merchant.ts'
import { recoverFailed, resendNotifications } from '../../../money/notifications/resend-notifications.ts'
import { auditId, type Command, UsageError } from '../command.ts'
import { columns, plain } from '../shared/print.ts'
import { readTime } from '../shared/read-input.ts'
import { findMerchant, givenMerNo, readMerNo } from '../shared/show-merchant.ts'

const resend: Command = {
  name: 'notify resend',
  summary: "Resend an order's notifications with the same id and body",
  audit: ({ given }) => auditId(given.text('trade-no') ?? ''),
  options: {
    'trade-no': { value: 'TRADENO', required: true, help: 'the order' },
    id: { value: 'ID', help: 'only this notification' },
  },
  async run({ given, tools }) {
    const id = given.text('id')
    const tradeNo = given.text('trade-no') ?? ''
    const wanted = { tradeNo, ...(id !== undefined && { notificationId: id }) }
    const resent = await resendNotifications(await tools.database(), wanted, tools.clock.now())
    const lines = resent.map(({ event, notificationId, url }) => {
      return `${event} ${notificationId} will be resent to ${plain(url)}.`
    })
    return { json: { resent }, text: lines.join('\n') }
  },
}

const list: Command = {
  name: 'notify list',
  summary: `List notifications and their states, the newest ${LIST_LIMIT}`,
  options: {
    'mer-no': { value: 'MERNO', help: 'only this merchant' },
    'trade-no': { value: 'TRADENO', help: 'only this order' },
    state: { value: 'STATE', help: 'pending, retrying, delivered or failed' },
  },
  async run({ given, tools }) {
    const merNo = givenMerNo(given)
    const tradeNo = given.text('trade-no')
    const state = readState(given.text('state'))
    const filter = {
      ...(merNo !== undefined && { merNo }),
      ...(tradeNo !== undefined && { tradeNo }),
      ...(state !== undefined && { state }),
    }
    const notifications = await listNotifications(await tools.database(), filter)
    return { json: { notifications }, text: columns(notifications.map(toRow), 'No notifications.') }
  },
}

function readState(text: string | undefined): NotificationState | undefined {
  if (text === undefined) return undefined
  const state = notificationStates.find((one) => one === text)
  if (state === undefined)
    throw new UsageError(`--state must be one of ${notificationStates.join(', ')}`, list)
  return state
}

function toRow(one: ListedNotification): string[] {
  const next = one.dueAt === null ? '' : `next ${one.dueAt.toISOString()}`
  return [
    one.madeAt.toISOString(),
    String(one.merNo),
    one.tradeNo,
    one.event,
    one.state,
    `${one.attempts} attempts`,
    plain([one.paused ? 'paused' : next, one.error ?? ''].filter((part) => part !== '').join('; ')),
    plain(one.url),
  ]
}

const recover: Command = {
  name: 'notify recover',
  summary: 'Resend all failed and retrying notifications whose last attempt failed since a time',
  audit: ({ given }) => ({ merNo: Number(given.text('mer-no') ?? 0), subject: 'notifications' }),
  options: {
    since: { value: 'ISO', required: true, help: 'for example 2026-11-15T08:00:00Z' },
    'mer-no': { value: 'MERNO', help: 'only this merchant' },
  },
  async run({ given, tools }) {
    const since = readTime(given.text('since'), tools.clock.now())
    const merNo = givenMerNo(given)
    const wanted = { since, ...(merNo !== undefined && { merNo }) }
    const recovered = await recoverFailed(await tools.database(), wanted, tools.clock.now())
    return { json: { recovered }, text: `${recovered} notifications will be resent.` }
  },
}

const pause: Command = {
  name: 'notify pause',
  argument: 'MERNO',
  summary: "Pause a merchant's notifications; new ones wait",
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {},
  async run({ argument, tools }) {
    const db = await tools.database()
    const { merNo } = await findMerchant(db, tools, readMerNo(argument))
    await pauseMerchant(db, merNo, tools.clock.now())
    return {
      json: { merNo, paused: true },
      text: `Notifications of merchant ${merNo} are paused until "notify resume".`,
    }
  },
}

const resume: Command = {
  name: 'notify resume',
  argument: 'MERNO',
  summary: "Resume a merchant's notifications and send those that waited",
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {},
  async run({ argument, tools }) {
    const db = await tools.database()
    const { merNo } = await findMerchant(db, tools, readMerNo(argument))
    await resumeMerchant(db, merNo)
    return { json: { merNo, paused: false }, text: `Notifications of merchant ${merNo} are sent again.` }
  },
}

export const notifyCommands: readonly Command[] = [resend, list, recover, pause, resume]
