-- Groups requests that are alike, and writes each group as a line of a traffic file with its count:
--
--     duckdb -cmd "SET VARIABLE logs = 'logs/*.parquet'" -f weighted_lines.sql |
--       covtool record-hits openapi.yaml > traffic.hits
--
-- `logs` may be anything that DuckDB reads: Parquet, and with read_csv or read_json below also these, gzipped or not,
-- on a disk, behind http(s) or in an object store. The columns are to be named in the first part.

-- Of a query that takes seconds, some clients write the progress to standard output too.
SET enable_progress_bar = false;

COPY (
  WITH requests AS (
    SELECT
      method,
      path || CASE WHEN query IS NULL OR query = '' THEN '' ELSE '?' || query END AS url,
      status,
      time AS moment, -- a TIMESTAMP
      CAST(round(duration * 1e6) AS BIGINT) AS micros -- of seconds
    FROM read_parquet(getvariable('logs'))
  )
  SELECT
    {method: method, url: url} AS request,
    -- What is unknown is left out: a request without a status had no answer that the log shows.
    CASE
      WHEN status IS NULL THEN NULL
      WHEN count(micros) = 0 THEN {status_code: status}
      -- Whole microseconds add up to the same in any order.
      ELSE {status_code: status, elapsed_sum: sum(micros) / 1e6, elapsed_max: max(micros) / 1e6}
    END AS response,
    count(*) AS count,
    epoch(min(moment)) AS first_at,
    epoch(max(moment)) AS last_at,
    -- What such a log doesn't show is not measured.
    {request_headers: 'none', request_body: false, response_headers: 'none', response_body: false} AS visibility
  FROM requests
  -- Times don't tell rows apart, but whether there is one does.
  GROUP BY method, url, status, moment IS NULL, micros IS NULL
) TO '/dev/stdout' (FORMAT json);
