// The table of contents. A new page needs a markdown file and one line here. A test fails if a line has no file. A new
// method's guide needs no line. After these sections come the pages of the endpoints, which are generated from the
// tables of the interface.
import { methodNames } from '../../rails/methods/methods.ts'

export type ListedPage = {
  readonly path: string
  readonly file: string
}

export type ListedSection = { readonly title: string; readonly pages: readonly ListedPage[] }

export const sections: readonly ListedSection[] = [
  {
    title: 'Start',
    pages: [
      guide('quick-start'),
      guide('signing'),
      guide('hosted-checkout'),
      guide('drop-in'),
      document('sdk', 'sdk/README.md'),
      document('samples', 'examples/README.md'),
      guide('not-supported'),
    ],
  },
  {
    title: 'Payments',
    pages: [
      guide('payments'),
      ...methodNames().map((method) => guide(`method-${method.replaceAll('_', '-')}`)),
      guide('method-checkout-payment'),
      document('payer-pages', 'docs/payer-pages.md'),
    ],
  },
  {
    title: 'Payouts',
    pages: [
      ...[guide('payouts'), guide('payout-card'), guide('payout-checkout'), guide('payout-bank-account')],
      ...[guide('payout-pix'), guide('payout-per-transfer'), guide('payout-spei')],
    ],
  },
  {
    title: 'After the payment',
    pages: [
      ...[guide('notifications'), guide('time-outs'), guide('refunds'), guide('disputes')],
      ...[guide('reviews'), guide('queries'), guide('money')],
    ],
  },
  { title: 'Go live', pages: [guide('testing'), guide('exam'), guide('going-live')] },
  {
    title: 'Reference',
    pages: [document('errors', 'docs/errors.md'), document('states', 'docs/states.md')],
  },
]

function guide(name: string): ListedPage {
  return document(name, `docs/guides/${name}.md`)
}

function document(path: string, file: string): ListedPage {
  return { path, file }
}
