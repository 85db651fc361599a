import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pix, taxNumberOf } from './pix.ts'

test('a CPF or CNPJ is accepted with or without punctuation, a CNPJ also with letters', () => {
  assert.deepEqual(taxNumberOf('529.982.247-25'), { cpf: '52998224725' })
  assert.deepEqual(taxNumberOf('52998224725'), { cpf: '52998224725' })
  assert.deepEqual(taxNumberOf('11.222.333/0001-81'), { cnpj: '11222333000181' })
  assert.deepEqual(taxNumberOf('12.ABC.345/01DE-35'), { cnpj: '12ABC34501DE35' })
  assert.deepEqual(taxNumberOf('12abc34501de35'), { cnpj: '12ABC34501DE35' })
})

test('wrong check digits, repeated digits and other numbers are refused by field and rule', () => {
  const wrong = ['52998224724', '11111111111', '11222333000180', '12ABC34501DE36', '5299822472', 'x', '١٢٣']
  for (const socialSecurityNumber of wrong)
    assert.deepEqual(
      pix.checkFields({ socialSecurityNumber }),
      { field: 'socialSecurityNumber', rule: 'must be a CPF or CNPJ with valid check digits' },
      socialSecurityNumber,
    )
  for (const fields of [{}, { socialSecurityNumber: '' }, { socialSecurityNumber: '529.982.247-25' }])
    assert.equal(pix.checkFields(fields), undefined)
})
