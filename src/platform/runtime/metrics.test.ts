import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('a gauge of channels names those of the moment only', async () => {
  const metrics = createMetrics()
  let payment = ['acquirer']
  metrics.channels('tollgate_test_open', 'Open', () => ({ payment, payout: ['bank'] }))
  const lines = async () => (await metrics.text()).split('\n')
  const ofAcquirer = 'tollgate_test_open{channel="acquirer",kind="payment"} 1'
  const ofBank = 'tollgate_test_open{channel="bank",kind="payout"} 1'
  assert.ok((await lines()).includes(ofAcquirer))
  payment = []
  const later = await lines()
  assert.deepEqual(
    { acquirer: later.includes(ofAcquirer), bank: later.includes(ofBank) },
    { acquirer: false, bank: true },
  )
})

test('counts and spreads are written as Prometheus expects them', async () => {
  const metrics = createMetrics()
  metrics.request('/payment', '00000', 0.002)
  metrics.request('/payment', '00000', 0.3)
  metrics.request('/payment', '10002', 40)
  metrics.channel('a "quoted" \\ name', 'payout', 'failed', 1)
  const families = (await metrics.text()).split('\n\n')
  const family = (name: string) => families.find((text) => text.startsWith(`# HELP ${name} `))
  assert.equal(
    family('tollgate_requests_total'),
    `# HELP tollgate_requests_total Responses to merchants, by endpoint and code
# TYPE tollgate_requests_total counter
tollgate_requests_total{endpoint="/payment",code="00000"} 2
tollgate_requests_total{endpoint="/payment",code="10002"} 1`,
  )
  assert.equal(
    family('tollgate_request_seconds'),
    `# HELP tollgate_request_seconds Time from request to response, by endpoint
# TYPE tollgate_request_seconds histogram
tollgate_request_seconds_bucket{le="0.002",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.005",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.01",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.02",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.05",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.1",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.2",endpoint="/payment"} 1
tollgate_request_seconds_bucket{le="0.5",endpoint="/payment"} 2
tollgate_request_seconds_bucket{le="1",endpoint="/payment"} 2
tollgate_request_seconds_bucket{le="2",endpoint="/payment"} 2
tollgate_request_seconds_bucket{le="5",endpoint="/payment"} 2
tollgate_request_seconds_bucket{le="10",endpoint="/payment"} 2
tollgate_request_seconds_bucket{le="30",endpoint="/payment"} 2
tollgate_request_seconds_bucket{le="+Inf",endpoint="/payment"} 3
tollgate_request_seconds_sum{endpoint="/payment"} 40.302
tollgate_request_seconds_count{endpoint="/payment"} 3`,
  )
  const labels = 'channel="a \\"quoted\\" \\\\ name",kind="payout",outcome="failed"'
  assert.match(family('tollgate_channel_calls_total') ?? '', new RegExp(RegExp.escape(`{${labels}} 1`)))
})

test('a metric without labels is there before anything is counted', async () => {
  const lines = (await createMetrics().text()).split('\n')
  assert.ok(lines.includes('tollgate_alarms_total 0'))
  assert.ok(lines.includes('tollgate_delivery_seconds_bucket{le="+Inf"} 0'))
  assert.ok(lines.includes('tollgate_delivery_seconds_sum 0'))
})
