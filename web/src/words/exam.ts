export const exam = {
  title: 'Exam',
  hint: 'The sandbox sends your server what a hostile world would send, and checks how it answers.',
  onlySandbox: 'The exam runs in sandbox',
  onlySandboxHint: 'It makes orders and sends forged notifications. Open the sandbox to start it.',
  notifyUrl: 'Address of your notifications',
  notifyUrlHint: 'Where your server takes notifications, such as https://shop.example/notify',
  stateUrl: 'Address of your orders (optional)',
  stateUrlHint:
    'Where your server tells its view of an order. With it, the exam also checks that an order is credited once.',
  orderNos: 'Order numbers (optional)',
  orderNosHint: 'Unpaid orders of your shop, one in a line, if it refuses numbers that it does not know.',
  start: 'Start the exam',
  running: (done: number, total: number) => `${done} of ${total} exercises are done`,
  none: 'No exam yet',
  noneHint: 'Enter the address where your server takes notifications. An exam takes about a minute.',
  passed: 'Passed',
  notPassed: 'Not passed',
  brokenOff: 'Broken off',
  counts: (passed: number, failed: number, skipped: number) =>
    `${passed} passed, ${failed} failed, ${skipped} not run`,
  exercises: 'Exercises',
  states: { passed: 'Passed', failed: 'Failed', skipped: 'Not run' },
  answered: 'Answered as it should, with the right effect',
  effectNotChecked: 'Answered as it should; effect not checked',
  next: (todo: string) => `Next: ${todo}`,
  guide: 'Read more in the guide',
  deliveries: (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`),
  request: 'Request',
  answer: (status: number | null, ms: number) =>
    status === null ? `No answer in ${ms} ms` : `Answer ${status} in ${ms} ms`,
  wanted: {
    acknowledged: 'Must be acknowledged',
    refused: 'Must be refused',
    any: 'The answer does not count',
  },
  titles: {
    paid: 'An order is paid',
    repeated: 'The same notification arrives seven times',
    'lost-answer': 'Your answer comes too late, and the notification is sent again',
    slow: 'The body arrives slowly, in pieces',
    'cut-off': 'The connection breaks in the middle of the body',
    forged: 'Somebody else sends notifications',
    'raw-body': 'The same fields, written in another way',
    'out-of-order': "The refund's result arrives before the payment's",
    late: 'An old result arrives again after a newer one',
    declined: 'A card is declined',
    'timed-out-charged': 'The bank does not answer, and has charged the card',
    'timed-out-not-charged': 'The bank does not answer, and has not charged the card',
    'short-transfer': 'A payer transfers too little, and then the rest',
    'late-transfer': 'The money arrives after the order was cancelled',
    chargeback: "The payer's bank takes a payment back",
  },
  todos: {
    paid: 'Read the raw body, verify its signature, store the result, then answer 200 with the text SUCCESS. Work that takes longer belongs behind the answer.',
    repeated:
      'Store webhook-id, or the order with its state, under a unique key in the transaction that credits the order. Acknowledge what you have already processed.',
    'lost-answer':
      'Lock the order, or use a unique key, while you process a notification, so that two deliveries at the same time credit it once and both are acknowledged.',
    slow: 'Collect the body until its end, as long as the connection is open. Do not take the first piece for the whole body, and do not give up after a second or two.',
    'cut-off':
      'Handle errors while you read the body: they must not stop your server, and half a body must not be processed.',
    forged:
      'Verify sign, or webhook-signature, over what arrived before you read anything else from it, and answer 400 if it does not match.',
    'raw-body':
      'Verify the raw body as it arrived, before any parser, and include every field in sign, known or not.',
    'out-of-order':
      'Accept a refund of an order whose payment you have not seen yet. If in doubt, ask by /order/query instead of counting on the order of arrival.',
    late: 'Never set an order back: a result that you have seen, or that is older than what you know, is acknowledged and changes nothing.',
    declined:
      'Look at code: only 0 means paid. Acknowledge every result that you have stored, also a failed one.',
    'timed-out-charged':
      'Keep the order open until its result is notified, or ask by /order/query with its number. Never start a second payment instead.',
    'timed-out-not-charged':
      'Keep the order open until its result is notified, or ask by /order/query with its number. Never start a second payment instead.',
    'short-transfer':
      'Credit a transfer when its notification says 0, never when the payer returns or says that it was sent.',
    'late-transfer': 'Let a failed order become paid when a later result says so, and credit it then.',
    chargeback:
      'Handle the event chargeback: stop the delivery, and answer the dispute in time. Send protestNotifyUrl with your orders, or set an address for chargebacks.',
  },
  checklist: 'Before you go live',
  checklistHint: 'What the gateway knows is ticked by itself.',
  done: 'Done',
  open: 'Open',
  optional: 'Optional',
  checks: {
    exam: 'Pass every exercise of the exam',
    payment: 'Make a payment with your own program',
    challenge: 'Pay with a card that asks for 3-D Secure: 4000000000003220',
    refund: 'Refund an order with your own program',
    query: 'Ask for an order by its number, as after a time-out',
    https: 'Receive notifications at an https address',
    website: 'Have the website of your shop approved',
    addresses: 'Accept requests only from the addresses of your servers',
    key: 'Make a new merchant key, and see that your program changes over',
    rsa: 'Register an RSA key',
  },
}
