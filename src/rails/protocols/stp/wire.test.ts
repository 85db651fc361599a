// The parts of the protocol that need no server: signed texts, days, states, CLABEs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clabeOf, isClabe, numberIn } from '../../toolkit/formats/clabe.ts'
import { cadenaOf, plainText } from './api.ts'
import { dayOf, daysListing, daysSince, daysUntil } from './operation-day.ts'
import { amountIn, outcomeOf } from './wire.ts'

test("an order's signed text is the one of STP's example", () => {
  const order = {
    institucionContraparte: 40072,
    empresa: 'TAMIZI',
    claveRastreo: 'CR1564969083',
    institucionOperante: 90646,
    monto: '1.20',
    tipoPago: 1,
    tipoCuentaOrdenante: 40,
    cuentaOrdenante: '646180110400000007',
    tipoCuentaBeneficiario: 40,
    nombreBeneficiario: 'Ricardo Sanchez',
    cuentaBeneficiario: '072691004495711499',
    rfcCurpBeneficiario: 'ND',
    conceptoPago: 'Prueba',
    referenciaNumerica: 5273144,
    topologia: 'T',
    medioEntrega: 3,
    prioridad: 0,
  }
  assert.equal(
    cadenaOf(order),
    '||40072|TAMIZI|||CR1564969083|90646|1.20|1|40||646180110400000007||40|Ricardo Sanchez|072691004495711499|ND||||||Prueba||||||5273144||T||3|0|||',
  )
})

test('a question is signed with its few fields and thirty bars', () => {
  const fields = {
    empresa: 'TAMIZI',
    fechaOperacion: 20261116,
    claveRastreo: 'CR1',
    institucionOperante: 90646,
  }
  assert.equal(cadenaOf(fields), `|||TAMIZI|20261116||CR1|90646${'|'.repeat(30)}`)
  assert.equal(cadenaOf({ empresa: 'TAMIZI' }), `|||TAMIZI${'|'.repeat(34)}`)
})

test('texts become ASCII without the bar, and no longer than allowed', () => {
  assert.equal(plainText('  José  Núñez | Ácido™ ', 39), 'Jose Nunez AcidoTM')
  assert.equal(plainText('漢字', 39), '')
  assert.equal(plainText('abc def', 4), 'abc')
})

test('days are those of Mexico, and a search goes from the day before to the next working days', () => {
  assert.equal(dayOf(new Date('2026-11-16T05:59:59Z')), '20261115')
  assert.equal(dayOf(new Date('2026-11-16T06:00:00Z')), '20261116')
  assert.deepEqual(daysSince('20261116', new Date('2026-11-16T20:00:00Z')), [
    undefined,
    '20261115',
    '20261116',
  ])
  assert.deepEqual(daysSince('20261130', new Date('2026-12-02T20:00:00Z')), [
    undefined,
    '20261129',
    '20261130',
    '20261201',
    '20261202',
  ])
  assert.equal(daysSince('20261116', new Date('2027-11-16T20:00:00Z')).length, 8)
})

test('today and yesterday are listed by name and without, because either may be the current day of STP', () => {
  const now = new Date('2026-11-16T20:00:00Z')
  assert.deepEqual(daysListing('20261114', now), ['20261114'])
  assert.deepEqual(daysListing('20261115', now), ['20261115', undefined])
  assert.deepEqual(daysListing('20261116', now), [undefined, '20261116'])
  for (const day of ['20261117', '', '!']) assert.deepEqual(daysListing(day, now), [undefined])
})

test('lists are read from the day before the last one, as far back as a month', () => {
  const now = new Date('2026-12-01T20:00:00Z')
  assert.deepEqual(daysUntil(now, '20261201'), ['20261130', '20261201'])
  assert.deepEqual(daysUntil(now, '20261129'), ['20261128', '20261129', '20261130', '20261201'])
  assert.deepEqual(daysUntil(now, '20990101'), ['20261130', '20261201'])
  assert.equal(daysUntil(now, '20200101').length, 32)
})

test('every order has its own CLABE, which leads back to it, until the prefix has no number left', () => {
  for (const number of [0, 1, 41, 9_999_998]) {
    const clabe = clabeOf('6461801234', number)
    assert.ok(clabe !== undefined && isClabe(clabe) && clabe !== '646180123400000007')
    assert.equal(numberIn(clabe, '6461801234'), number)
  }
  assert.equal(clabeOf('6461801234', 9_999_999), undefined)
  assert.equal(numberIn('032180000118359719', '6461801234'), undefined)
})

test('states are read by the table, and one that nobody has seen is unknown', () => {
  const kinds = {
    LQ: 'succeeded',
    TLQ: 'succeeded',
    CCO: 'succeeded',
    XD: 'processing',
    E: 'processing',
    D: 'failed',
    RE: 'failed',
    ZZ: 'unknown',
  }
  for (const [estado, kind] of Object.entries(kinds))
    assert.equal(outcomeOf({ estado: `${estado} `, monto: 1.2 }, 'R').kind, kind, estado)
  assert.equal(outcomeOf({ estado: 'LQ' }, 'R').kind, 'unknown')
  assert.equal(amountIn(1.2), 120n)
  assert.equal(amountIn('1.205'), undefined)
})
