// The table of contents. A new page is a markdown file and one line here; a test complains about a line without a file. The
// pages of the endpoints follow after these sections and are made from the tables of the interface.

export type ListedPage = {
  /** Behind /docs/. */
  readonly path: string
  /** In the repository. */
  readonly file: string
}

export type ListedSection = { readonly title: string; readonly pages: readonly ListedPage[] }

export const sections: readonly ListedSection[] = [
  {
    title: 'Start',
    pages: [
      guide('quick-start'),
      guide('signing'),
      guide('payments'),
      guide('hosted-checkout'),
      guide('drop-in'),
      document('sdk', 'sdk/README.md'),
      document('payer-pages', 'docs/payer-pages.md'),
    ],
  },
  {
    title: 'Pay-in methods',
    pages: [
      guide('method-card'),
      guide('method-alipay'),
      guide('method-apple-pay'),
      guide('method-cash-app'),
      guide('method-crypto'),
      guide('method-gcash'),
      guide('method-google-pay'),
      guide('method-per-transfer'),
      guide('method-pix'),
      guide('method-sepa'),
      guide('method-spei'),
      guide('method-unionpay'),
      guide('method-vn-bank'),
      guide('method-wechat'),
      guide('method-checkout-payment'),
    ],
  },
  {
    title: 'Payouts',
    pages: [
      guide('payouts'),
      guide('payout-bank-account'),
      guide('payout-card'),
      guide('payout-checkout'),
      guide('payout-per-transfer'),
      guide('payout-pix'),
      guide('payout-spei'),
    ],
  },
  {
    title: 'After the payment',
    pages: [
      guide('notifications'),
      guide('queries'),
      guide('time-outs'),
      guide('refunds'),
      guide('disputes'),
      guide('reviews'),
      guide('money'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      document('errors', 'docs/errors.md'),
      document('states', 'docs/states.md'),
      guide('testing'),
      guide('exam'),
      guide('going-live'),
    ],
  },
]

function guide(path: string): ListedPage {
  return document(path, `docs/guides/${path}.md`)
}

function document(path: string, file: string): ListedPage {
  return { path, file }
}
