// The sandbox's Alipay: the API, notifications and the payer page.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createBank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { payerUrlOf, registerBankPage } from '../bank/page-routes.ts'
import { type Message, startCallbacks } from '../callbacks.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { privatePem, publicPem, readOrCreateRsaKeys } from '../rsa-keys.ts'
import { GATEWAY_PATH, registerGateway } from './routes.ts'
import { type Params, signNotice } from './signature.ts'
import { toTime, toTrade } from './trade.ts'

const method = 'alipay'
const appId = '9021000000000001'

export function mountAlipay({ app, folder, url, clock }: SandboxPlace): Counterparty {
  const bank = createBank({ bookFile: join(folder, 'alipay.sqlite'), clock, takes: 'exact' })
  const keys = readOrCreateRsaKeys(folder)
  registerGateway(app, { bank, appId, keys, payerUrlOf: (charge) => payerUrlOf({ url, method }, charge) })
  registerBankPage(app, { bank, method, url })
  const messageOf = (reference: string): Message | undefined => {
    const charge = bank.find(reference)
    if (charge === undefined) return undefined
    const notice = signNotice(noticeOf(charge, clock.now()), keys().platform.privateKey)
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    return { url: charge.callbackUrl, headers, body: new URLSearchParams(notice).toString() }
  }
  const isAcknowledged = ({ text }: { readonly text: string }) => text === 'success'
  const callbacks = startCallbacks({ outbox: bank.outbox, messageOf, isAcknowledged })
  bank.onChange(callbacks.poke)
  return {
    banks: new Map([[method, bank]]),
    settings: () => [
      {
        name: method,
        method,
        currencies: ['CNY', 'USD', 'EUR', 'HKD'],
        url: `${url()}${GATEWAY_PATH}`,
        appId,
        privateKey: privatePem(keys().gateway.privateKey),
        alipayPublicKey: publicPem(keys().platform.publicKey),
      },
    ],
    async close() {
      await callbacks.stop()
      bank.close()
    },
  }
}

function noticeOf(charge: BankCharge, now: Date): Params {
  const { send_pay_date: paidAt, ext_infos: _infos, ...trade } = toTrade(charge)
  return {
    ...trade,
    ...(paidAt !== undefined && { gmt_payment: paidAt }),
    app_id: appId,
    notify_id: randomUUID(),
    notify_type: 'trade_status_sync',
    notify_time: toTime(now),
    charset: 'utf-8',
    version: '1.0',
    sign_type: 'RSA2',
  }
}
