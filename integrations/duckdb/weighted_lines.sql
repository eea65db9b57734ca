-- Groups equal requests, and writes each group as a line of a traffic file with its count:
--
--     duckdb -cmd "SET VARIABLE logs = 'logs/*.parquet'" -f weighted_lines.sql |
--       covtool record-hits openapi.yaml > traffic.hits
--
-- `logs` can be any Parquet files that DuckDB reads, or with read_csv or read_json below also CSV or JSON, gzipped or
-- not: on a disk, behind http(s) or in an object store. Name the columns of your logs in the first part.

-- During a query that takes seconds, some clients write the progress to standard output too.
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
    -- Unknown values are left out: without a status, the log shows no response.
    CASE
      WHEN status IS NULL THEN NULL
      WHEN count(micros) = 0 THEN {status_code: status}
      -- The sum of whole microseconds doesn't depend on their order.
      ELSE {status_code: status, elapsed_sum: sum(micros) / 1e6, elapsed_max: max(micros) / 1e6}
    END AS response,
    count(*) AS count,
    epoch(min(moment)) AS first_at,
    epoch(max(moment)) AS last_at,
    -- Names the parts that such a log doesn't show, so that they are not measured.
    {request_headers: 'none', request_body: false, response_headers: 'none', response_body: false} AS visibility
  FROM requests
  -- Rows that differ only in time are one group; rows without a time are another one.
  GROUP BY method, url, status, moment IS NULL, micros IS NULL
) TO '/dev/stdout' (FORMAT json);
