// The sandbox's WeChat Pay: its API v3, notifications, and the pages that simulate the app.
import { createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createBank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { payerUrlOf, registerBankPage } from '../bank/page-routes.ts'
import { type Message, startCallbacks } from '../callbacks.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { privatePem, publicPem, readOrCreateRsaKeys } from '../rsa-keys.ts'
import { registerAppPage } from './app-page.ts'
import { H5_PATH, registerH5Page } from './h5-page.ts'
import { toOrder } from './order.ts'
import { API_PATH, registerWechatApi } from './routes.ts'
import { platformHeaders, sealResource } from './signature.ts'

const method = 'wechat'
const account = {
  mchid: '1900000001',
  appid: 'wxd678efh567hg6787',
  mobileAppid: 'wx8888888888888888',
  miniProgramAppid: 'wx2421b1c4370ec43b',
}
const serial = '5157F09EFDC096DE15EBE81A47057A7232F1B8E1'

export function mountWechat({ app, folder, url, clock, secret }: SandboxPlace): Counterparty {
  const bank = createBank({ bookFile: join(folder, 'wechat.sqlite'), clock, takes: 'exact' })
  const keys = readOrCreateRsaKeys(folder)
  // WeChat Pay requires a key of 32 characters.
  const apiV3Key = createHmac('sha256', secret).update('wechat api v3').digest('hex').slice(0, 32)
  const codeUrlOf = (charge: BankCharge) => payerUrlOf({ url, method }, charge)
  const h5UrlOf = ({ id }: BankCharge) => `${url()}${H5_PATH}/${id}`
  registerWechatApi(app, { bank, account, serial, keys, clock, codeUrlOf, h5UrlOf })
  registerBankPage(app, { bank, method, url })
  registerH5Page(app, bank)
  registerAppPage(app, { bank, account, merchantKey: () => keys().gateway.publicKey, payerUrlOf: codeUrlOf })
  const messageOf = (reference: string): Message | undefined => {
    const charge = bank.find(reference)
    if (charge === undefined) return undefined
    const body = notification(charge, apiV3Key, clock.now())
    const headers = platformHeaders(body, keys().platform.privateKey, clock.now())
    return { url: charge.callbackUrl, headers: { 'content-type': 'application/json', ...headers }, body }
  }
  const callbacks = startCallbacks({ outbox: bank.outbox, messageOf })
  bank.onChange(callbacks.poke)
  return {
    banks: new Map([[method, bank]]),
    settings: () => [
      {
        name: method,
        method,
        currencies: ['CNY', 'USD', 'EUR', 'HKD'],
        url: `${url()}${API_PATH}`,
        ...account,
        serial,
        privateKey: privatePem(keys().gateway.privateKey),
        platformPublicKey: publicPem(keys().platform.publicKey),
        apiV3Key,
      },
    ],
    async close() {
      await callbacks.stop()
      bank.close()
    },
  }
}

/** Unlike the real platform, the sandbox also notifies of declined payments, so that nobody has to wait for a query. */
function notification(charge: BankCharge, apiV3Key: string, now: Date): string {
  return JSON.stringify({
    id: randomUUID(),
    create_time: now.toISOString(),
    event_type: charge.status === 'paid' ? 'TRANSACTION.SUCCESS' : 'TRANSACTION.PAYERROR',
    resource_type: 'encrypt-resource',
    resource: sealResource(toOrder(charge, account), apiV3Key),
    summary: charge.status,
  })
}
