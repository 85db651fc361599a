/** ISO 3166 codes. Ireland has postal codes since 2015, but many people there do not know theirs. */
export const countriesWithoutPostalCodes: readonly string[] = [
  ...['AE', 'AG', 'AO', 'AW', 'BF', 'BI', 'BJ', 'BO', 'BQ', 'BS', 'BW', 'BZ', 'CD', 'CF', 'CG', 'CI', 'CK'],
  ...['CM', 'CW', 'DJ', 'DM', 'ER', 'FJ', 'GA', 'GD', 'GH', 'GM', 'GN', 'GQ', 'GY', 'HK', 'IE', 'JM', 'KI'],
  ...['KM', 'KN', 'KP', 'LC', 'LY', 'ML', 'MO', 'MR', 'MW', 'NR', 'NU', 'PA', 'QA', 'RW', 'SB', 'SC', 'SL'],
  ...['SO', 'SR', 'ST', 'SX', 'SY', 'TD', 'TG', 'TK', 'TL', 'TO', 'TT', 'TV', 'UG', 'VU', 'WS', 'YE', 'ZW'],
]
