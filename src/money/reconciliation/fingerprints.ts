// The two fingerprints of a statement: one of its lines, and one of its own row and its differences. By these
// fingerprints, the audit finds lines and differences that were lost or changed, because no other row records what a
// channel listed.
//
// A fingerprint is the XOR of the hashes of rows, so a row is added and removed in the same way. If a migration changes
// the hashed columns or their values, it must compute the fingerprints again, as migration 0062 does.

/**
 * Returns the SQL for the hash of a row. An MD5 of JSON is the same in every version and with every setting of the
 * database.
 */
const hashOf = (columns: string) =>
  `('x' || left(md5(jsonb_build_array(${columns})::text), 16))::bit(64)::bigint`

/** The SQL for the fingerprint of a group of lines `l`. */
export const linesFingerprint = `coalesce(bit_xor(${hashOf(`l.line_no, l.mer_no, l.trade_no, l.attempt_no, l.day, l.currency,
  l.amount, l.fee, l.line, l.channel, l.reference, l.line_id, l.is_day_unknown, l.statement_id, l.withdrawn_by`)}), 0)`

const ownHash =
  hashOf(`s.mer_no, s.statement_id, s.import_no, s.channel, s.file_name, s.first_day, s.last_day, s.lines,
  s.matched, s.different, s.booked, s.fees, s.imported_by, extract(epoch from s.imported_at), s.withdrawn, s.is_fetched`)

const differenceHash =
  hashOf(`d.difference_no, d.channel, d.kind, d.type, d.reference, d.line, d.trade_no, d.suspense_id,
  d.their_amount, d.their_currency, d.our_amount, d.our_currency, d.listed_by`)

/**
 * The SQL for the fingerprint of a statement `s` and its differences. Columns that are set when a difference is closed
 * are left out.
 */
export const importFingerprint = `(${ownHash} # coalesce((
  select bit_xor(${differenceHash}) from statement_differences d
  where d.mer_no = s.mer_no and d.statement_id = s.statement_id), 0))`
