/** Cards of the sandbox, by what happens to them. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  timesOutCharged: '4000000000000119',
  timesOutNotCharged: '4000000000006975',
} as const
