// The usual currencies of an account with an IBAN. This file imports nothing, because the web app uses it.

/** Countries with IBANs that use the euro. */
const EURO = 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' ')

/** Other countries whose banks take SEPA transfers. Their accounts also take euros. */
const SEPA = 'AL CH CZ DK FO GB GI GL HU IS LI MD MK NO PL RO RS SE'.split(' ')

/** The currencies of countries with IBANs that do not use the euro. */
const own: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AE AED,AL ALL,AZ AZN,BA BAM,BH BHD,BR BRL,BY BYN,CH CHF,CR CRC,CZ CZK,DK DKK,DO DOP,EG EGP,FO DKK,GB GBP,GE GEL,' +
    'GI GIP,GL DKK,GT GTQ,HU HUF,IL ILS,IQ IQD,IS ISK,JO JOD,KW KWD,KZ KZT,LI CHF,MD MDL,MK MKD,MR MRU,MU MUR,NO NOK,' +
    'PK PKR,PL PLN,QA QAR,RO RON,RS RSD,SA SAR,SE SEK,TN TND,TR TRY,UA UAH'
  )
    .split(',')
    .map((pair) => pair.split(' ')),
)

/**
 * Returns the country and the usual currencies of an account if `currency` is not among them. Undefined if the currency
 * is usual, or if the account is no IBAN of a country in this file.
 */
export function currencyDoubt(
  account: string,
  currency: string,
): { readonly country: string; readonly usual: readonly string[] } | undefined {
  const [, country = ''] =
    /^([A-Z]{2})\d{2}[A-Z0-9]{11,}$/.exec(account.replace(/[\s-]/g, '').toUpperCase()) ?? []
  const usual = [own[country], EURO.includes(country) || SEPA.includes(country) ? 'EUR' : undefined].filter(
    (one) => one !== undefined,
  )
  return usual.length === 0 || usual.includes(currency.trim().toUpperCase()) ? undefined : { country, usual }
}
