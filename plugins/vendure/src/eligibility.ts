import { LanguageCode, PaymentMethodEligibilityChecker } from '@vendure/core'
import { isPayable } from './amount.ts'

/** For a shop that sells in more currencies than its merchant account takes. */
export const tollgateEligibility = new PaymentMethodEligibilityChecker({
  code: 'tollgate-eligibility',
  description: [
    { languageCode: LanguageCode.en, value: 'Currencies that the Tollgate merchant account takes' },
  ],
  args: {
    currencies: {
      type: 'string',
      list: true,
      label: [{ languageCode: LanguageCode.en, value: 'Currencies, such as EUR; none means all' }],
    },
  },
  check: (_ctx, { currencyCode, totalWithTax }, { currencies }) => {
    if (currencies.length > 0 && !currencies.includes(currencyCode))
      return `This shop does not take payments in ${currencyCode}.`
    if (!isPayable(totalWithTax, currencyCode))
      return `There are no coins of ${currencyCode} for this amount.`
    return true
  },
})
