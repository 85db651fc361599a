// The home page's first payment: a request of the demo merchant, sent to this gateway over HTTP like a shop's.
import type { Clock } from '../base/clock.ts'
import type { FirstPayments } from '../checkout/first-payment.ts'
import { md5StringToSign } from '../merchant-api/checks/signature.ts'
import { endpoints } from '../merchant-api/endpoints.ts'
import { readDemo } from './demo-file.ts'
import { cardPayment, checkoutOrder, sendDemo } from './demo-payment.ts'

type Deps = {
  readonly dataDir: string
  readonly baseUrl: string
  /** Where this process serves. */
  readonly selfUrl: string
  readonly clock: Clock
}

export function firstPayments({ dataDir, baseUrl, selfUrl, clock }: Deps): FirstPayments {
  return {
    merchant: () => readDemo(dataDir),
    async pay(by) {
      const demo = await readDemo(dataDir)
      if (demo === undefined) return undefined
      const path = by === 'card' ? '/payment' : '/cashier/checkStandPay'
      const make = by === 'card' ? cardPayment : checkoutOrder
      const request = make(demo, {}, clock.now())
      const answer = await sendDemo(selfUrl, path, request, demo.site)
      const payUrl = String(answer.data?.payUrl ?? '')
      return {
        path,
        request,
        signedText: md5StringToSign(endpoints[path].signed, request),
        answer,
        payPath: payUrl.startsWith(`${baseUrl}/`) ? payUrl.slice(baseUrl.length + 1) : undefined,
      }
    },
  }
}
